/** Two lines of one character each. Most texts have none. */
const CELLS = /(?:^|\n)[ \t]{0,4}[A-Za-z\d][ \t]{0,4}\n[ \t\n]{0,6}[A-Za-z\d–—•·-][ \t]{0,4}(?=\n|$)/
/** Cells in one line: `4 | 8 | 2 | 9`, `[4] [8] [2] [9]`. */
const ROW = /^[ \t|[(]{0,8}[A-Za-z\d](?:[ \t]?[|[\]()]{1,2}(?:[ \t][|[(]?)?[ \t]?[A-Za-z\d]){3,9}[ \t|\])]{0,8}$/gm
/** Page numbers. */
const PAGES = '1234567890'
/** `4 8 2 - 9 1 3` */
const HALVES = /(?<![\p{L}\d.,-]|[\d–-] )(\d(?: \d){1,3}) [–—•·-] (\d(?: \d){1,3})(?! ?[\p{L}\d–-])/gu
const CELL = /^[ \t]{0,4}([A-Za-z\d])[ \t]{0,4}$/
/** A cell between the halves of a code. */
export const SEPARATOR = /^\s*[–—•·-]\s*$/
/** Empty lines between two cells. */
const MAX_GAP = 6
const MIN_LENGTH = 4
const MAX_LENGTH = 10

/** Cells with the same number of empty lines between them. */
interface Group {
  text: string
  /** Empty lines before it, and the separator that stands there. */
  gap: number
  separator: string
}

const isCode = (text: string): boolean =>
  text.length >= MIN_LENGTH && text.length <= MAX_LENGTH && (text === text.toUpperCase() || /\d/.test(text))

/** Returns the first half of a text whose halves are the same: a code that is shown twice. */
function once(text: string): string {
  const half = text.slice(0, text.length / 2)
  return half.length >= MIN_LENGTH && half + half === text ? half : text
}

/** Returns the index of the next line that is not empty. */
function nextLine(lines: readonly string[], from: number): number {
  let at = from
  while (at < lines.length && (lines[at] as string).trim() === '' && at - from <= MAX_GAP) at++
  return at
}

/** Returns the groups of cells that begin at a line, and the index of the line behind them. */
function groupsAt(lines: readonly string[], from: number): { groups: Group[]; end: number } {
  const groups: Group[] = []
  /** Empty lines between the cells of the last group. -1: it has one cell. */
  let within = -1
  let end = from
  for (let at = from, gap = 0, separator = ''; ;) {
    const cell = CELL.exec(lines[at] ?? '')?.[1]
    if (cell === undefined) break
    const last = groups.at(-1)
    if (last && separator === '' && (within === -1 || gap === within)) {
      last.text += cell
      within = gap
    } else if (last && separator === '' && gap < within) {
      // The last cell belongs to this one.
      const moved = last.text.slice(-1)
      last.text = last.text.slice(0, -1)
      groups.push({ text: moved + cell, gap: within, separator: '' })
      within = gap
    } else {
      groups.push({ text: cell, gap, separator })
      within = -1
    }
    end = at + 1
    let next = nextLine(lines, end)
    gap = next - end
    separator = SEPARATOR.exec(lines[next] ?? '')?.[0].trim() ?? ''
    if (separator !== '') {
      const behind = nextLine(lines, next + 1)
      if (behind - next - 1 !== gap) break
      next = behind
    }
    at = next
  }
  return { groups, end }
}

/** Returns the codes of groups of cells. Short groups of the same length and distance are parts of one code. */
function codesOf(groups: readonly Group[]): string[] {
  const [first, second] = groups
  const all = groups.map(({ text }) => text).join('')
  const isOne =
    first !== undefined &&
    second !== undefined &&
    groups.every(({ text }) => text.length === first.text.length) &&
    groups.slice(1).every(({ gap, separator }) => gap === second.gap && separator === second.separator) &&
    (second.separator !== ''
      ? groups.length === 2 && first.text.length > 1
      : first.text.length === 2 || first.text.length === 3)
  const dash = second?.separator === '-' && /[A-Z]/i.test(all) ? '-' : ''
  const codes = isOne ? [groups.map(({ text }) => text).join(dash)] : groups.map(({ text }) => text)
  return codes.map(once)
}

/** Joins cells of one character each, one below the other, to the code that they show. */
export function joinBoxes(text: string): string {
  const inLines = text
    .replace(HALVES, (found, first: string, second: string) =>
      first.length === second.length ? `${first} ${second}` : found,
    )
    .replace(ROW, (row) => {
      const code = row.replace(/[^A-Za-z\d]/g, '')
      return isCode(code) && !PAGES.startsWith(code) ? code : row
    })
  if (!CELLS.test(inLines)) return inLines
  const lines = inLines.split('\n')
  const joined: string[] = []
  for (let at = 0; at < lines.length;) {
    const { groups, end } = groupsAt(lines, at)
    const codes = codesOf(groups)
    if (codes.some(isCode)) {
      for (const code of codes) {
        if (isCode(code)) joined.push(code)
        else for (const cell of code) joined.push(cell)
        joined.push('')
      }
      joined.pop()
      at = end
    } else if (groups.length > 0) {
      while (at < end) joined.push(lines[at++] as string)
    } else joined.push(lines[at++] as string)
  }
  return joined.join('\n')
}
