import { describe, expect, test } from 'vitest'
import { type ForwardFacts, forwardFields } from './fields.ts'

const facts: ForwardFacts = {
  mark: '01ktjpq5g0a1b2c3d4e5f6g7h8.0LDcivrI8xVpMWS2jxxO2g',
  destination: 'zoe@real.example',
  address: 'me@mayfly.test',
  stopUrl: `https://mayfly.test/en/forwarded?stop=${'x'.repeat(66)}`,
}
const mail = (...fields: string[]): Buffer => Buffer.from([...fields, '', 'List-Unsubscribe: in the body'].join('\r\n'))
const plain = mail('From: a@b.example', 'Subject: x')

test('returns the fields that say where a message comes from and how to end the forwarding', () => {
  expect(forwardFields(facts, plain)).toBe(
    [
      `X-Mayfly-Forwarded: ${facts.mark}`,
      'X-Forwarded-To: zoe@real.example',
      'X-Forwarded-For: me@mayfly.test',
      `X-Mayfly-Stop:\r\n <${facts.stopUrl}>`,
      `List-Unsubscribe:\r\n <${facts.stopUrl}>`,
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n',
    ].join('\r\n'),
  )
})

test.each([
  ['zoë@xn--bcher-kva.example'],
  ['用户@xn--fsqu00a.example'],
  ["a.b+c!#$%&'*/=?^_`{|}~-@real.example"],
  [`${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(60)}.example`],
])('accepts the destination %s', (destination) => {
  const fields = forwardFields({ ...facts, destination }, plain)
  expect(fields.replaceAll('\r\n ', ' ')).toContain(`X-Forwarded-To: ${destination}\r\n`)
  for (const line of fields.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(998)
})

describe('rejects a value that could leave its field', () => {
  test.each([
    ['a\r\nBcc: b@c.example'],
    ['a b@c.example'],
    ['a\n@c.example'],
    ['a\0@c.example'],
    ['a\u2028@c.example'],
    ['a\u0085@c.example'],
    ['<a@b.example>'],
    ['a@b.example,c@d.example'],
    ['"a b"@c.example'],
    ['a@b@c.example'],
    ['a@b.example\r\n'],
    ['a@bücher.example'],
    [''],
    ['a\u202e@c.example'],
    ['a(b)@c.example'],
    ['a@[192.0.2.1]'],
  ])('address %j', (text) => {
    expect(() => forwardFields({ ...facts, destination: text }, plain)).toThrow(TypeError)
    expect(() => forwardFields({ ...facts, address: text }, plain)).toThrow(TypeError)
  })

  test.each(['', 'a b', 'a\r\nb', 'a.b\n', 'ä'])('mark %j', (mark) => {
    expect(() => forwardFields({ ...facts, mark }, plain)).toThrow(TypeError)
  })

  test.each(['', 'forwarded?stop=x', 'javascript:alert(1)', 'mailto:a@b.example'])('link %j', (stopUrl) => {
    expect(() => forwardFields({ ...facts, stopUrl }, plain)).toThrow(TypeError)
  })

  test('and encodes a link', () => {
    const fields = forwardFields({ ...facts, stopUrl: 'https://mayfly.test/a> b\r\nBcc: x?stop=<y>"\u00e9' }, plain)
    expect(fields).toContain('X-Mayfly-Stop: <https://mayfly.test/a%3E%20bBcc:%20x?stop=%3Cy%3E%22%C3%A9>\r\n')
    expect(() => forwardFields({ ...facts, stopUrl: `https://mayfly.test/${'x'.repeat(1000)}` }, plain)).toThrow(
      RangeError,
    )
  })
})

describe('List-Unsubscribe', () => {
  const signature = (fields: string, name = 'DKIM-Signature') =>
    `${name}: v=1; a=rsa-sha256; d=b.example;\r\n\th=${fields};\r\n b=x`
  test.each([
    ['present', 'List-Unsubscribe: <mailto:x@b.example>'],
    ['in lower case', 'list-unsubscribe:<mailto:x@b.example>'],
    ['in upper case and with a space', 'LIST-UNSUBSCRIBE : x'],
    ['folded before its colon', 'List-Unsubscribe\r\n : x'],
    ['List-Unsubscribe-Post alone', 'List-Unsubscribe-Post: List-Unsubscribe=One-Click'],
    ['covered by a signature', signature('from:to:list-unsubscribe')],
    ['covered by a folded signature', signature('From:To:\r\n\tList-Unsubscribe:\r\n\tSubject')],
    ['List-Unsubscribe-Post covered by a signature', signature('From : List-Unsubscribe-Post')],
    ['covered by the seal of a forwarder', signature('from:list-unsubscribe', 'ARC-Message-Signature')],
    ['covered as the first tag', 'DKIM-Signature: h=List-Unsubscribe:From; d=b.example'],
  ])('is not added if it is %s', (_name, field) => {
    for (const raw of [mail('From: a@b.example', field, 'To: x'), Buffer.from(`a: b\n${field}\n\n`)]) {
      expect(forwardFields(facts, raw)).not.toContain('List-Unsubscribe')
    }
  })

  test.each([
    ['another field', 'List-Id: <x.b.example>'],
    ['a longer field name', 'List-Unsubscribe-Text: x'],
    ['the value of another field', 'Subject: List-Unsubscribe: x'],
    ['a folded line', 'Subject: x\r\n List-Unsubscribe: x'],
    ['a signature of other fields', signature('from:to:subject')],
    ['another tag of a signature', 'DKIM-Signature: h=from; bh=List-Unsubscribe'],
  ])('is added despite %s', (_name, field) => {
    expect(forwardFields(facts, mail(field))).toContain('\r\nList-Unsubscribe:')
  })
})

test.each([
  ['of folded lines', `DKIM-Signature: h=\r\n${' a:\r\n'.repeat(200_000)}`],
  ['of signatures', 'DKIM-Signature: h=\r\n'.repeat(45_000)],
  ['of tags', `DKIM-Signature: ${';h'.repeat(500_000)}\r\n`],
  ['of white space', `DKIM-Signature: ;${' '.repeat(1_000_000)}\r\n`],
])('processes a header of a megabyte %s in linear time', (_what, head) => {
  const started = performance.now()
  expect(forwardFields(facts, Buffer.from(`${head}\r\nbody`))).toContain('List-Unsubscribe:')
  // Linear time is tens of milliseconds; quadratic time would be many minutes.
  expect(performance.now() - started).toBeLessThan(20_000)
})
