from otherwords.engine.duck import Engine as Engine
from otherwords.engine.parquet import Columns as Columns
from otherwords.engine.parquet import check_values as check_values
from otherwords.engine.parquet import metadata_of as metadata_of
from otherwords.engine.parquet import open_parquet as open_parquet
from otherwords.engine.parquet import read_batches as read_batches
from otherwords.engine.parquet import write_parquet as write_parquet
