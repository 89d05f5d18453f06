import { expect, test } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import { signRemoteUrl } from '#mail/html/signed-url.ts'
import { createRemoteContent } from './remote-content.ts'

const key = new Uint8Array(32)

function stage(fails: boolean, until?: Promise<void>) {
  const fetched: string[] = []
  const content = createRemoteContent({
    key,
    clock: () => 1000,
    prefix: '/proxy',
    urlLifetime: 1000,
    slots: { all: { atOnce: 2, maxWaiting: 2 }, visitor: { atOnce: 1, maxWaiting: 1 } },
    async fetchImage(url) {
      fetched.push(url)
      await until
      if (fails) throw new MayflyError('remote_content_failed')
      return { contentType: 'image/png', content: Uint8Array.of(1) }
    },
  })
  const get = (url: string, expiresAt = 2000, ip = '192.0.2.1') => {
    const signed = signRemoteUrl(url, { prefix: '/proxy', key, expiresAt }) ?? ''
    return content.fetch(Object.fromEntries(new URLSearchParams(signed.split('?')[1])), ip)
  }
  return { fetched, get }
}

test('fetches an image once, whoever requests it within a minute', async () => {
  const { fetched, get } = stage(false)
  const [first, second] = await Promise.all([get('https://a.example/1'), get('https://a.example/1', 3000)])
  expect(second).toEqual(first)
  await get('https://a.example/1')
  await get('https://a.example/2')
  expect(fetched).toEqual(['https://a.example/1', 'https://a.example/2'])
})

test('tries a failed image again', async () => {
  const { fetched, get } = stage(true)
  await expect(get('https://a.example/1')).rejects.toMatchObject({ code: 'remote_content_failed' })
  await expect(get('https://a.example/1')).rejects.toMatchObject({ code: 'remote_content_failed' })
  expect(fetched).toHaveLength(2)
})

test('refuses an expired URL even if its image is kept', async () => {
  const { get } = stage(false)
  await get('https://a.example/1')
  await expect(get('https://a.example/1', 500)).rejects.toMatchObject({ code: 'not_found' })
})

test('limits concurrent fetches in total and of each visitor, and lets others wait', async () => {
  const released = Promise.withResolvers<void>()
  const { fetched, get } = stage(false, released.promise)
  const from = (visitor: number, image: number) => get(`https://a.example/${image}`, 2000, `192.0.2.${visitor}`)
  const pending = [from(1, 0), from(1, 1), from(2, 2), from(3, 3), from(4, 4)]
  expect(fetched.toSorted()).toEqual(['https://a.example/0', 'https://a.example/2'])
  await expect(from(1, 5)).rejects.toThrow('Too many images')
  await expect(from(5, 6)).rejects.toThrow('Too many images')
  released.resolve()
  await Promise.all(pending)
  expect(fetched).toHaveLength(5)
  expect((await from(1, 5)).contentType).toBe('image/png')
})
