// Scales of words of place, order and comparison (scales.hpp).
#pragma once

#include <string_view>

namespace otherwords::facts {

constexpr std::string_view scales_of_places = R"(
inner internal inside indoor | outer external outside outdoor
indoors inside | outdoors outside
upstairs | downstairs
upward upwards up | downward downwards down
forward forwards ahead | backward backwards behind
near close nearby | far distant remote
upper top | lower bottom
first | last
top peak summit | bottom base foot
plus | minus
abroad overseas | home
everywhere | nowhere
anywhere | nowhere
before | after
above over | below under beneath
inside within | outside beyond
with | without
like | unlike
toward towards | from
against | for
onto | off
on | off
in | out
more | less
more | fewer
most | least
ever | never
if | unless
to | from
together | apart
north | south
east | west
front | back
former | latter
past | future
previous | next
last | next
left | right
underneath | above
underground | overground
offshore | onshore
uphill | downhill
upstream | downstream
northward | southward
eastward | westward
clockwise | anticlockwise counterclockwise
)";

}  // namespace otherwords::facts
