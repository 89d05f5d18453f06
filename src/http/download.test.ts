import { describe, expect, test } from 'vitest'
import { safeFilename } from '#core/file-name.ts'
import { contentDisposition } from './download.ts'

describe('a file name', () => {
  test.each([
    ['report.pdf', 'report.pdf'],
    ['a/b\\c:d*e?f"g<h>i|j', 'a_b_c_d_e_f_g_h_i_j'],
    ['...hidden', 'hidden'],
    ['trailing. . ', 'trailing'],
    ['a\r\nSet-Cookie: x', 'a__Set-Cookie_ x'],
    ['gpj.\u202Eexe', 'gpj._exe'],
    ['AUX', '_AUX'],
    ['com1.txt', '_com1.txt'],
    ['common.txt', 'common.txt'],
    ['COM¹.txt', '_COM¹.txt'],
    ['con .txt', '_con .txt'],
    ['CONIN$', '_CONIN$'],
    ['a\u061Cb\u2028c', 'a_b_c'],
    ['\u0000\u0001', '__'],
    ['', 'attachment'],
    ['. .', 'attachment'],
    ['\uD800lone', '\uFFFDlone'],
    ['文書.pdf', '文書.pdf'],
  ])('%j is saved as %j', (name, safe) => expect(safeFilename(name)).toBe(safe))

  test.each([
    ['a', 196],
    ['ä', 98],
    ['文', 65],
    ['😀', 49],
  ])('is cut to 200 bytes and keeps its extension: %s', (character, count) => {
    expect(safeFilename(`${character.repeat(count)}.pdf`)).toBe(`${character.repeat(count)}.pdf`)
    expect(safeFilename(`${character.repeat(count + 1)}.pdf`)).toBe(`${character.repeat(count)}.pdf`)
    expect(safeFilename(`${character.repeat(300)}.tar.gz`)).toMatch(new RegExp(`^(?:${character})+\\.gz$`, 'u'))
  })

  test.each([' ', '. ', '.'])('ends with a letter if it is cut behind %j', (end) =>
    expect(safeFilename(`${'a'.repeat(200 - end.length)}${end}${'b'.repeat(100)}`)).toBe('a'.repeat(200 - end.length)),
  )

  test('without an extension is cut to 200 bytes', () =>
    expect(safeFilename(`${'文'.repeat(300)}. no extension`)).toBe('文'.repeat(66)))
})

test('is sent in two ASCII forms (RFC 6266, RFC 8187)', () => {
  expect(contentDisposition('Rechnung März (1) 50%.pdf')).toBe(
    `attachment; filename="Rechnung Marz (1) 50_.pdf"; filename*=UTF-8''Rechnung%20M%C3%A4rz%20%281%29%2050%25.pdf`,
  )
  expect(contentDisposition('文書".pdf')).toBe(
    `attachment; filename="___.pdf"; filename*=UTF-8''%E6%96%87%E6%9B%B8_.pdf`,
  )
  // Characters that NFKD turns into ASCII must not form a path or a device name.
  expect(contentDisposition('．．／．．／etc／passwd')).toContain('filename="_.._etc_passwd"')
  expect(contentDisposition('ＣＯＮ.txt')).toContain('filename="_CON.txt"')
})
