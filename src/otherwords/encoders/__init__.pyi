from otherwords.encoders.base import Encoder as Encoder
from otherwords.encoders.base import Tokens as Tokens
from otherwords.encoders.neural import NeuralEncoder as NeuralEncoder
from otherwords.encoders.neural import PackedEncoder as PackedEncoder
from otherwords.encoders.neural import pack_encoder as pack_encoder
from otherwords.encoders.pair import PairModel as PairModel
from otherwords.encoders.static import StaticEncoder as StaticEncoder
