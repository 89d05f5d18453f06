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
    expect(messageOf(`..a\r\n...\r\n.b\r\n a.${END}`)).toBe('.a\r\n..\r\nb\r\n a.\r\n')
  })

  it('ends every line with CRLF and replaces stray CRs with spaces', () => {
    expect(messageOf(`a\nb\n\nc\rd\r\re\r\r\nf\n.\n..g${END}`)).toBe('a\r\nb\r\n\r\nc d  e\r\nf\r\n.\r\n..g\r\n')
  })

  it('keeps NUL and every other byte', () => {
    const bytes = String.fromCharCode(...Array.from({ length: 256 }, (_, i) => i).filter((i) => i !== 10 && i !== 13))
    expect(messageOf(`${bytes}${END}`)).toBe(`${bytes}\r\n`)
  })

  it('refuses a message only if it is too big', () => {
    const lines = (count: number) => `${'x'.repeat(98)}\r\n`.repeat(count)
    expect(messageOf(`${lines(10)}.\r\n`)).toBe(lines(10))
    expect(messageOf(`${lines(9)}${'x'.repeat(99)}${END}`)).toMatch(/^552 5\.3\.4/)
    expect(messageOf(lines(500), 'x'.repeat(500), `${END}`)).toMatch(/^552 5\.3\.4/)
  })

  it('does not count stuffed dots (RFC 1870)', () => {
    const stuffed = `..${'x'.repeat(97)}\r\n`.repeat(10)
    const plain = `.${'x'.repeat(97)}\r\n`.repeat(10)
    expect(messageOf(`${stuffed}.\r\n`)).toBe(plain)
    expect(messageOf(...`${stuffed}.\r\n`)).toBe(plain)
    expect(messageOf(`${stuffed}x${END}`)).toMatch(/^552/)
    expect(messageOf(...`${stuffed}x${END}`)).toMatch(/^552/)
  })

  it.each([' ', '\t', '. '])('inserts an empty line before a first line that begins with %j', (start) => {
    const trace = 'Received: from x\r\n\tby y\r\n'
    const text = `${start}continued\r\nSubject: x\r\n`
    const reader = new DataReader(trace, limits, new SmtpMemoryBudget(1e6).of(undefined))
    reader.feed(Buffer.from(`${text}.\r\n`))
    expect(String(reader.finish())).toBe(`${trace}\r\n${text.replace(/^\./, '')}`)
    expect(reader.traceLength).toBe(trace.length + 2)
  })

  it('limits lines, header section and hops', () => {
    expect(messageOf(`${'x'.repeat(300)}${END}`)).toHaveLength(302)
    expect(messageOf(`${'x'.repeat(301)}${END}`)).toMatch(/^554 5\.6\.0/)
    const small = { maxHeaderBytes: 500 }
    const header = `${'h'.repeat(98)}\r\n`.repeat(5)
    expect(read([`${header}\r\nbody${END}`], small)?.result).toBe(`${header}\r\nbody\r\n`)
    expect(read([`x\r\n${header}\r\nbody${END}`], small)?.result).toMatch(/^552 5\.3\.4 Header/)
    const hops = 'Received: a\r\nRECEIVED : b\r\nreceived:c\r\n'
    expect(messageOf(`${hops}Received-SPF: x\r\n\r\nReceived: body${END}`)).toMatch(/^Received/)
    expect(messageOf(`${hops}Received: d\r\n\r\nbody${END}`)).toMatch(/^554 5\.4\.6/)
  })

  it('refuses a message that does not fit into memory, and releases all memory', () => {
    expect(read([`x${END}`], {}, 100)?.result).toMatch(/^452 4\.3\.1/)
    const big = { maxMessageBytes: 1e6, maxLineBytes: 1e6, maxHeaderBytes: 1e6 }
    expect(read(['x'.repeat(30_000), END], big, 40_000)?.result).toHaveLength(30_002)
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
