import { describe, expect, test } from 'vitest'
import { joinBoxes } from './boxes.ts'
import { findCodeAndLink } from './finder.ts'

test.each([
  ['4\n8\n2\n9\n1\n3', '482913'],
  ['4\n\n8\n\n2\n\n9\n\n1\n\n3', '482913'],
  ['k\n7\nm\n2\np\nx', 'k7m2px'],
  ['K\n7\nM\n2', 'K7M2'],
  ['4\n8\n2\n\n9\n1\n3', '482913'],
  ['4\n8\n\n2\n9\n\n1\n3', '482913'],
  ['4\n8\n2\n-\n9\n1\n3', '482913'],
  ['4\n8\n2\n9\n–\n1\n3\n0\n4', '48291304'],
  ['4\n8\n2\n\n•\n\n9\n1\n3', '482913'],
  ['K\n7\nM\n-\n2\nP\nX', 'K7M-2PX'],
  ['4 | 8 | 2 | 9 | 1 | 3', '482913'],
  ['| 4 | 8 | 2 | 9 | 1 | 3 |', '482913'],
  ['[4] [8] [2] [9] [1] [3]', '482913'],
  ['[4][8][2][9][1][3]', '482913'],
  ['The code is 4 8 2 - 9 1 3.', 'The code is 4 8 2 9 1 3.'],
  ['1 | 2 | 3 | 4', '1 | 2 | 3 | 4'],
  ['a | b | c | d', 'a | b | c | d'],
  ['2 - 3 - 1', '2 - 3 - 1'],
  // Shown twice.
  ['4\n8\n2\n9\n4\n8\n2\n9', '4829'],
  ['4\n8\n2\n9\n1\n3\n4\n8\n2\n9\n1\n3', '482913'],
  ['4\n8\n2\n9\n\n4\n8\n2\n9', '4829\n\n4829'],
  // Something else at another distance.
  ['4\n8\n2\n9\n\n5\nminutes left', '4829\n\n5\nminutes left'],
  ['4\n8\n2\n9\n1\n3\n\n1\nOpen the app', '482913\n\n1\nOpen the app'],
  ['I\n\n4\n8\n2\n9\n1\n3\n\nI', 'I\n\n482913\n\nI'],
  ['4\n\n8\n\n2\n\n9\n\n1\n2\n3', '4829\n\n1\n2\n3'],
  ['1\nOpen\n2\nEnter\n3\nDone', '1\nOpen\n2\nEnter\n3\nDone'],
  ['1\n2\n3', '1\n2\n3'],
  ['a\nb\nc\nd', 'a\nb\nc\nd'],
  ['1\n2\n3\n4\n5\n6\n7\n8\n9\n0\n1\n2', '1\n2\n3\n4\n5\n6\n7\n8\n9\n0\n1\n2'],
])('joins the cells of %j', (text, joined) => expect(joinBoxes(text)).toBe(joined))

test('leaves a long list of cells', () => {
  const list = [...'ab1'.repeat(60_000)].join('\n')
  expect(joinBoxes(list)).toBe(list)
})

const cells = (code: string, tag = 'td'): string => [...code].map((sign) => `<${tag}>${sign}</${tag}>`).join('')
const row = (code: string): string => `<table><tr>${cells(code)}</tr></table>`
const divs = (code: string): string => `<div>${cells(code, 'div')}</div>`

describe('a code in cells', () => {
  test.each([
    ['twice', row('482913') + row('482913'), '482913'],
    ['twice, of four digits', divs('4829') + divs('4829'), '4829'],
    ['twice in halves', `<table><tr><td>482</td><td>913</td></tr></table>`.repeat(2), '482913'],
    ['twice in two lines', '<p>482 913</p><p>482 913</p>', '482913'],
    ['above steps', `${row('482913')}<table><tr><td>1</td><td>Open the app</td></tr></table>`, '482913'],
    ['above a list', `${row('4829')}<ol><li><span>1</span></li></ol>`, '4829'],
    ['above minutes', `${row('4829')}<p>5</p><p>minutes left</p>`, '4829'],
    ['above a letter', `${row('482913')}<p>I</p>`, '482913'],
    [
      'in halves above a number',
      '<table><tr><td>482</td><td>913</td></tr><tr><td>100</td></tr></table><p>points</p>',
      '482913',
    ],
    ['with a dash', '<table><tr><td>482</td><td>-</td><td>913</td></tr></table>', '482913'],
    ['with a bullet', row('482•913'), '482913'],
    ['with a dash between letters', row('K7M-2PX'), 'K7M-2PX'],
    ['of letters in lower case', row('k7m2px'), 'k7m2px'],
    ['in nested tables', `<table><tr>${[...'4829'].map((x) => `<td>${row(x)}</td>`).join('')}</tr></table>`, '4829'],
    ['in three parts', '<table><tr><td>48</td><td>29</td><td>13</td></tr></table>', '482913'],
  ])('%s', (_where, html, code) =>
    expect(
      findCodeAndLink({
        subject: 'Your verification code',
        text: null,
        html: `<p>Your verification code:</p>${html}<p>Never share it.</p>`,
        fromName: 'Brindle',
        fromAddress: 'a@brindle.example',
      }).code,
    ).toBe(code),
  )
})
