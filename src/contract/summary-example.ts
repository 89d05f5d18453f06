/** A `MessageSummary` for the API reference. */
export const SUMMARY_EXAMPLE = {
  id: '01kdq3x9f4m2v7c8r5t6y0w1za',
  from: { name: 'Harbour', address: 'no-reply@harbour.example' },
  to: 'moon.onion.river471@mayfly.test',
  recipients: ['moon.onion.river471@mayfly.test'],
  subject: 'Your code is 482913',
  receivedAt: '2026-11-24T10:26:12.345Z',
  expiresAt: '2026-11-25T10:26:12.345Z',
  size: 4096,
  seen: false,
  preview: 'Enter this code to confirm your email address: 482913',
  code: '482913',
  link: null,
  candidates: [{ kind: 'code', value: '482913', confidence: 0.99, context: 'Your code is 482913' }],
  authentication: { spf: 'pass', dkim: 'pass', dmarc: 'pass' },
  attachments: [],
  unreadable: false,
}
