import { describe, expect, it } from 'vitest'
import { DataReader, EndOfData } from './data.ts'
import { SmtpMemoryBudget } from './memory.ts'

const limits = { maxMessageBytes: 1000, maxLineBytes: 300, maxHeaderBytes: 2000, maxHops: 3 }

/**
 * Returns the stored message (or the reply that refuses it) and the rest after the end of data. Undefined if no end is
 * found.
 */
function read(chunks: string[], changed: Partial<typeof limits> = {}, memory = 1e6) {
  const budget = new SmtpMemoryBudget(memory)
  const reader = new DataReader('T: race\r\n', { ...limits, ...changed }, budget.of(undefined))
  for (const [index, text] of chunks.entries()) {
    const chunk = Buffer.from(text, 'latin1')
    const end = reader.feed(chunk)
    if (end === -1) continue
    const finished = reader.finish()
    const result = typeof finished === 'string' ? finished : finished.toString('latin1').replace(/^T: race\r\n/, '')
    reader.release()
    expect(budget.used).toBe(0)
    return { result, rest: chunk.toString('latin1').slice(end) + chunks.slice(index + 1).join('') }
  }
  return undefined
}

const messageOf = (...chunks: string[]) => read(chunks)?.result
const END = '\r\n.\r\n'

describe('EndOfData', () => {
  it('finds the end however the stream is cut', () => {
    const text = `a\r\n..\r\n\r\n.\rb\r\n.b\r\r\n.\r\nQUIT\r\n`
    const end = text.indexOf('.\r\nQUIT') + 3
    for (let first = 0; first <= text.length; first++) {
      for (let second = first; second <= text.length; second++) {
        const cuts = [text.slice(0, first), text.slice(first, second), text.slice(second)]
        const finder = new EndOfData()
        let seen = 0
        for (const cut of cuts) {
          const at = finder.find(Buffer.from(cut))
          if (at !== -1) {
            seen += at
            break
          }
          seen += cut.length
        }
        expect(seen).toBe(end)
      }
    }
  })

  // Sequences that some servers have taken for the end of data (SMTP smuggling).
  const impostors = [
    '\n.\n',
    '\n.\r\n',
    '\r\n.\n',
    '\r.\r',
    '\r.\r\n',
    '\r\n.\r',
    '\r\n\0.\r\n',
    '\r\n.\0\r\n',
    '\n\r.\r\n',
  ]
  it.each(impostors)('does not take %j for the end', (impostor) => {
    const text = `a${impostor}QUIT`
    for (let cut = 0; cut <= text.length; cut++) {
      const finder = new EndOfData()
      expect(finder.find(Buffer.from(text.slice(0, cut)))).toBe(-1)
      expect(finder.find(Buffer.from(text.slice(cut)))).toBe(-1)
    }
  })
})

describe('DataReader', () => {
  it('returns the message and leaves what follows', () => {
    expect(read([`S: x\r\n\r\nbody${END}QUIT\r\n`])).toEqual({ result: 'S: x\r\n\r\nbody\r\n', rest: 'QUIT\r\n' })
  })

  it('accepts an empty message', () => {
    expect(messageOf('.\r\n')).toBe('')
    expect(messageOf('.', '\r', '\n')).toBe('')
  })

  it('undoes dot stuffing, also in the first line', () => {
    expect(messageOf(`..a\r\n...\r\n.b\r\n a.${END}`)).toBe('\r\n.a\r\n..\r\nb\r\n a.\r\n')
  })

  it('ends every line with CRLF and replaces stray CRs with spaces', () => {
    expect(messageOf(`a\nb\n\nc\rd\r\re\r\r\nf\n.\n..g${END}`)).toBe('\r\na\r\nb\r\n\r\nc d  e\r\nf\r\n.\r\n..g\r\n')
  })

  it('keeps NUL and every other byte', () => {
    const bytes = String.fromCharCode(...Array.from({ length: 256 }, (_, i) => i).filter((i) => i !== 10 && i !== 13))
    expect(messageOf(`${bytes}${END}`)).toBe(`\r\n${bytes}\r\n`)
  })

  it('refuses a message only if it is too big', () => {
    const lines = (count: number) => `${'x'.repeat(98)}\r\n`.repeat(count)
    expect(messageOf(`${lines(10)}.\r\n`)).toBe(`\r\n${lines(10)}`)
    expect(messageOf(`${lines(9)}${'x'.repeat(99)}${END}`)).toMatch(/^552 5\.3\.4/)
    expect(messageOf(lines(500), 'x'.repeat(500), `${END}`)).toMatch(/^552 5\.3\.4/)
  })

  it('does not count stuffed dots (RFC 1870)', () => {
    const stuffed = `..${'x'.repeat(97)}\r\n`.repeat(10)
    const plain = `\r\n${`.${'x'.repeat(97)}\r\n`.repeat(10)}`
    expect(messageOf(`${stuffed}.\r\n`)).toBe(plain)
    expect(messageOf(...`${stuffed}.\r\n`)).toBe(plain)
    expect(messageOf(`${stuffed}x${END}`)).toMatch(/^552/)
    expect(messageOf(...`${stuffed}x${END}`)).toMatch(/^552/)
  })

  it.each([
    '§ continued\nSubject: x\n',
    '§\tcontinued\nSubject: x\n',
    '§Hello, your code is 482913\n',
    'Hello\nSubject: x\n\nsecond paragraph\n',
    '§Hello\nThis: that\n',
    '§Hello\nYou\n\nsecond: paragraph\n',
    '§Backup done at 12:30\nAll fine: yes\n',
    '§: no name\n',
    '§\x80: not ASCII\n',
    '§From here it is text\nbye\n',
    '§From here it is text\n\nbye\n',
    '§From here it is text\n',
    'Subject: x\nFrom: a@b.example\n§Hello\nTo: you\n',
    'Subject: x\nHello\nFrom: a@b.example\n§How are\n you?\n\nsecond paragraph\n',
    // Damaged lines between fields.
    'Subject: x\nX-Note: first\nsecond line\nFrom: a@b.example\n\nHello\n',
    'Subject: x\nX Custom Header: 1\nFrom: a@b.example\n\nHello\n',
    'Subject: x\nX-Gr\xF6\xDFe: 1\n continued\n: x\n-- \nFrom: a@b.example\n folded\n\nHello\n',
    'Subject: x\n>From root@host Mon Jan  1 00:00:00 2024\nFrom: a@b.example\n\nHello\n',
    '\xEF\xBB\xBFFrom: a@b.example\nSubject: x\n\nHello\n',
    '\xEF\xBB\xBFSubject: x\n\nHello\n',
    '\xEF\xBB\xBFSubject: x\n§Hello\n',
    '§\xEF\xBB\xBFHello\n\nHello\n',
    'Subject: x\n folded\n\tagain\n§Hello\n continued\n',
    'From root@host Mon Jan  1 00:00:00 2024\nSubject: x\n§Hello\n',
    '>From root@host Mon Jan  1 00:00:00 2024\nSubject: x\n\nHello\n',
    'Subject : x\nX-!#$%&*+-.^_`|~: x\n\nHello\nthere\n',
    'Subject: x\nFrom: a@b.example\n',
    '\nHello\n',
  ])('inserts a missing empty line before the text, and only there: %j', (marked) => {
    const trace = 'Received: from x\r\n\tby y\r\n'
    const crlf = (lines: string) => lines.replaceAll('\n', '\r\n')
    const text = marked.replace('§', '')
    const expected = crlf(marked.replace('§', '\n'))
    for (const sent of [crlf(text), `${text.slice(0, -1)}\r\n`]) {
      const reader = new DataReader(trace, limits, new SmtpMemoryBudget(1e6).of(undefined))
      reader.feed(Buffer.from(`${sent}.\r\n`, 'latin1'))
      expect((reader.finish() as Buffer).toString('latin1')).toBe(trace + expected)
      expect(reader.addedBytes).toBe(trace.length + expected.length - crlf(text).length)
    }
  })

  it('needs no more memory for that', () => {
    const big = { maxMessageBytes: 1e6, maxLineBytes: 1e6, maxHeaderBytes: 500 }
    expect(read([`x${'y'.repeat(30_000)}`, END], big, 40_000)?.result).toHaveLength(30_005)
  })

  it('limits lines, header section and hops', () => {
    expect(messageOf(`${'x'.repeat(300)}${END}`)).toHaveLength(304)
    expect(messageOf(`${'x'.repeat(301)}${END}`)).toMatch(/^554 5\.6\.0/)
    const small = { maxHeaderBytes: 500 }
    const header = `${'h'.repeat(97)}:\r\n`.repeat(5)
    expect(read([`${header}\r\nbody${END}`], small)?.result).toBe(`${header}\r\nbody\r\n`)
    expect(read([`x:\r\n${header}\r\nbody${END}`], small)?.result).toMatch(/^552 5\.3\.4 Header/)
    const hops = 'Received: a\r\nRECEIVED : b\r\nreceived:c\r\n'
    expect(messageOf(`${hops}Received-SPF: x\r\n\r\nReceived: body${END}`)).toMatch(/^Received/)
    expect(messageOf(`${hops}Received: d\r\n\r\nbody${END}`)).toMatch(/^554 5\.4\.6/)
  })

  it('refuses a message that does not fit into memory, and releases all memory', () => {
    expect(read([`x${END}`], {}, 100)?.result).toMatch(/^452 4\.3\.1/)
    const big = { maxMessageBytes: 1e6, maxLineBytes: 1e6, maxHeaderBytes: 1e6 }
    expect(read(['x'.repeat(30_000), END], big, 40_000)?.result).toHaveLength(30_004)
    expect(read(['x'.repeat(30_000), 'x'.repeat(30_000), END], big, 40_000)?.result).toMatch(/^452/)
    // Rewriting lines needs a copy, which never fits here.
    expect(read(['x\n'.repeat(15_000), END], big, 40_000)?.result).toMatch(/^552/)
  })

  it('releases a refused message before its end', () => {
    const budget = new SmtpMemoryBudget(1e6)
    const reader = new DataReader('', limits, budget.of(undefined))
    reader.feed(Buffer.alloc(2000, 'x'))
    expect(budget.used).toBe(0)
    expect(reader.feed(Buffer.from(`x\r`))).toBe(-1)
    expect(reader.feed(Buffer.from(`\n.\r\nQUIT`))).toBe(4)
  })
})
