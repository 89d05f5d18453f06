import { describe, expect, it } from 'vitest'
import { Input } from './lines.ts'

function linesOf(chunks: string[], maxLineBytes = 20) {
  const input = new Input(maxLineBytes)
  const lines: unknown[] = []
  for (const chunk of chunks) {
    input.push(Buffer.from(chunk, 'latin1'))
    for (let line = input.nextLine(); line !== undefined; line = input.nextLine()) lines.push(line)
  }
  return { lines, input }
}

describe('Input', () => {
  it('returns lines however they are cut', () => {
    const text = 'EHLO a\r\n\r\nNOOP\r\nQUIT\r\n'
    for (let size = 1; size <= text.length; size++) {
      const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      expect(linesOf(chunks).lines).toEqual(['EHLO a', '', 'NOOP', 'QUIT'])
    }
  })

  it.each([['\n'], ['NOOP\n'], ['\r\n\n'], ['NOOP\r\nNOOP\nNOOP\r\n'], ['NO', 'OP', '\n']])(
    'reports a bare LF in %j',
    (...chunks) => {
      expect(linesOf(chunks).lines).toContainEqual({ fault: 'bare-lf' })
    },
  )

  it.each([['NO\rOP\r\n'], ['NOOP\r\r\n'], ['\r', '\r\n'], ['NOOP\r\0\n\r\n']])(
    'rejects a bare CR in %j',
    (...chunks) => {
      const [line] = linesOf(chunks).lines
      expect(line).not.toBeTypeOf('string')
    },
  )

  it('accepts lines up to the maximum length, however they are cut', () => {
    const longest = 'x'.repeat(18)
    expect(linesOf([`${longest}\r\n`]).lines).toEqual([longest])
    expect(linesOf([...`${longest}\r\n`]).lines).toEqual([longest])
    const fault = { fault: 'too-long' }
    expect(linesOf([`${longest}x\r\nNOOP\r\n`]).lines).toEqual([fault, 'NOOP'])
    expect(linesOf([...`${longest}x\r\nNOOP\r\n`]).lines).toEqual([fault, 'NOOP'])
  })

  it('discards an endless line', () => {
    const { lines, input } = linesOf(Array.from({ length: 1000 }, () => 'x'.repeat(19)))
    expect(lines).toEqual([])
    expect(input.length).toBeLessThan(40)
  })

  it('takeAll returns the rest unchanged', () => {
    const { input } = linesOf(['NOOP\r\nrest', ' and more'])
    expect(input.takeAll().toString()).toBe('rest and more')
    expect(input.length).toBe(0)
  })
})
