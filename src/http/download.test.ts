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

  test('is cut to 150 characters and keeps its extension', () => {
    const name = safeFilename(`${'😀'.repeat(300)}.tar.gz`)
    expect([...name]).toHaveLength(150)
    expect(name).toMatch(/\.gz$/)
  })
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
