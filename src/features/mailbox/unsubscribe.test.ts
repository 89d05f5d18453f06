import { expect, test } from 'vitest'
import type { OpenAddress } from './claims.ts'
import type { Messages } from './messages.ts'
import { createUnsubscribe } from './unsubscribe.ts'

const open = {} as OpenAddress

function stage({
  oneClick = true,
  dkim = 'pass',
  status = 200,
}: {
  oneClick?: boolean
  dkim?: string
  status?: number
}) {
  const posted: unknown[] = []
  const read = async () => ({
    summary: { authentication: { spf: 'none', dkim, dmarc: 'none' } },
    content: { unsubscribe: { url: 'https://list.example/u', host: 'list.example', oneClick } },
  })
  const unsubscribe = createUnsubscribe({
    messages: { read } as unknown as Messages,
    async post(...call) {
      posted.push(call)
      if (status === 0) throw new Error('The host is not allowed')
      return status
    },
  })
  return { posted, unsubscribe }
}

test('sends the one request of RFC 8058', async () => {
  const { posted, unsubscribe } = stage({})
  await unsubscribe(open, 'id')
  expect(posted).toEqual([
    [
      'https://list.example/u',
      { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': expect.stringContaining('unsubscribe') },
      'List-Unsubscribe=One-Click',
    ],
  ])
})

test.each([{ oneClick: false }, { dkim: 'fail' }, { dkim: 'none' }, { dkim: 'pending' }])(
  'sends nothing with %o',
  async (fields) => {
    const { posted, unsubscribe } = stage(fields)
    await expect(unsubscribe(open, 'id')).rejects.toMatchObject({ code: 'unsubscribe_unavailable' })
    expect(posted).toEqual([])
  },
)

test.each([0, 301, 404, 500])('reports status %i as a failure', async (status) =>
  expect(stage({ status }).unsubscribe(open, 'id')).rejects.toMatchObject({ code: 'unsubscribe_failed' }),
)
