import { describe, expect, it } from 'vitest'
import { receivedHeader } from './received.ts'

const trace = {
  helo: 'client.example',
  clientAddress: '203.0.113.5',
  hostname: 'mx.mayfly.test',
  esmtp: true,
  utf8: false,
  tls: false,
  id: 'id1',
  recipients: ['a@mayfly.test'],
  receivedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
}

describe('receivedHeader', () => {
  it('names client, server, protocol, recipient and date', () => {
    expect(receivedHeader(trace)).toBe(
      'Received: from client.example ([203.0.113.5])\r\n\tby mx.mayfly.test (Mayfly) with ESMTP id id1\r\n' +
        '\tfor <a@mayfly.test>;\r\n\tFri, 02 Jan 2026 03:04:05 +0000\r\n',
    )
  })

  it('names no recipient if there are several', () => {
    const header = receivedHeader({ ...trace, recipients: ['a@mayfly.test', 'b@mayfly.test'] })
    expect(header).not.toMatch(/for|a@|b@/)
    expect(header).toContain('id id1;\r\n')
  })

  it.each([
    [{ esmtp: false }, 'SMTP'],
    [{ tls: true }, 'ESMTPS'],
    [{ utf8: true }, 'UTF8SMTP'],
    [{ utf8: true, tls: true }, 'UTF8SMTPS'],
  ])('names the protocol of %j', (change, protocol) => {
    expect(receivedHeader({ ...trace, ...change })).toContain(` with ${protocol} id `)
  })

  it('writes IPv6 literals as in RFC 5321', () => {
    expect(receivedHeader({ ...trace, clientAddress: '2001:db8::1' })).toContain('([IPv6:2001:db8::1])')
  })

  it('replaces characters of HELO that could inject headers', () => {
    expect(receivedHeader({ ...trace, helo: 'x) by evil; (\t\xff' })).toContain('from x??by?evil????? (')
  })
})
