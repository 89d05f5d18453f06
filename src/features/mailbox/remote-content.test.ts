import { expect, test } from 'vitest'
import { MayflyError } from '#core/errors.ts'
import { signRemoteUrl } from '#mail/html/signed-url.ts'
import { createRemoteContent } from './remote-content.ts'

const key = new Uint8Array(32)

function stage(fails: boolean) {
  const fetched: string[] = []
  const content = createRemoteContent({
    key,
    clock: () => 1000,
    prefix: '/proxy',
    urlLifetime: 1000,
    async fetchImage(url) {
      fetched.push(url)
      if (fails) throw new MayflyError('remote_content_failed')
      return { contentType: 'image/png', content: Uint8Array.of(1) }
    },
  })
  const get = (url: string, expiresAt = 2000) => {
    const signed = signRemoteUrl(url, { prefix: '/proxy', key, expiresAt }) ?? ''
    return content.fetch(Object.fromEntries(new URLSearchParams(signed.split('?')[1])))
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
