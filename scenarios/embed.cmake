# Writes OUTPUT: a C++ source that defines the bytes of INPUT as fleetcast::scenarios::embedded::SYMBOL.
# String literals are cut into pieces, since compilers limit the length of one.
file(READ "${INPUT}" content)
string(LENGTH "${content}" length)
set(pieces "")
set(at 0)
while(at LESS length)
  string(SUBSTRING "${content}" ${at} 8000 piece)
  string(APPEND pieces "R\"~~~(${piece})~~~\"\n")
  math(EXPR at "${at} + 8000")
endwhile()
file(WRITE "${OUTPUT}" "#include <string_view>\nnamespace fleetcast::scenarios::embedded {\nextern const std::string_view ${SYMBOL};\nconst std::string_view ${SYMBOL} =\n${pieces};\n}\n")
