/** Returns the Chinese characters in the given rows and cells of a double-byte encoding. */
function charactersOf(encoding: string, rows: [number, number][], cells: [number, number][]): Set<string> {
  const bytes = rows.flatMap(([first, last]) =>
    range(first, last).flatMap((row) =>
      cells.flatMap(([left, right]) => range(left, right).flatMap((cell) => [row, cell, 0x0a])),
    ),
  )
  return new Set(new TextDecoder(encoding).decode(new Uint8Array(bytes)).match(/\p{sc=Han}/gu))
}

const range = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i)

/** GB 2312, the 6,763 characters of simplified Chinese. */
const simplified = charactersOf('gbk', [[0xb0, 0xf7]], [[0xa1, 0xfe]])
/** Big5 without the Hong Kong additions, the 13,000 characters of traditional Chinese. */
const traditional = charactersOf(
  'big5',
  [
    [0xa4, 0xc6],
    [0xc9, 0xf9],
  ],
  [
    [0x40, 0x7e],
    [0xa1, 0xfe],
  ],
)
/** JIS X 0208. */
const japanese = charactersOf('euc-jp', [[0xb0, 0xf4]], [[0xa1, 0xfe]])

/** Characters of both scripts that are nearly always a simplified remnant in traditional texts (后 for 後). */
const LEFT_OVER = new Set('么体万与价厂后于几云余并据种听复胜虫里庄怀惊愿扑极构柜气洁网范荐触适')

/** Whether a character does not belong to simplified Chinese. */
export const isTraditional = (character: string): boolean => !simplified.has(character)

/** Whether a character does not belong to traditional Chinese. */
export const isSimplified = (character: string): boolean => !traditional.has(character) || LEFT_OVER.has(character)

/** Whether a Chinese character is not used in Japanese. */
export const notJapanese = (character: string): boolean => !japanese.has(character)
