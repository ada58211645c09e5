from otherwords.tables.table import Column as Column
from otherwords.tables.table import Lines as Lines
from otherwords.tables.table import Number as Number
from otherwords.tables.table import Table as Table
from otherwords.tables.tabular import Format as Format
from otherwords.tables.tabular import Tabular as Tabular
from otherwords.tables.tabular import format_of as format_of
