import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { TestInfo } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Inbox } from '#client/index.ts'
import { attachMessages } from '../../packages/playwright/src/attach.ts'

let directory: string
beforeAll(async () => void (directory = await mkdtemp(join(tmpdir(), 'mayfly-attach-'))))
afterAll(() => rm(directory, { recursive: true, force: true }))

const ADDRESS = 'velvet.otter47@mayfly.test'

/** Returns the names and texts that are attached for messages with these subjects. Without an HTML part, they fail. */
async function attached(messages: { subject: string; html?: string }[]): Promise<[name: string, text: string][]> {
  const names: [string, string][] = []
  const testInfo = {
    outputPath: (file: string) => join(directory, file),
    // As Playwright does: with the name, a hash of 40 characters and the extension.
    async attach(name: string, { path, body = '' }: { path?: string; body?: string }) {
      if (path !== undefined)
        await copyFile(path, join(directory, `${name.replaceAll('/', '-')}-${'0'.repeat(40)}${extname(path)}`))
      names.push([name, body])
    },
  }
  const inbox = {
    address: ADDRESS,
    messages: async () => ({ messages: messages.map(({ subject }, i) => ({ id: String(i), subject })) }),
    async message(id: string) {
      const { html } = messages[Number(id)]!
      if (html === undefined) throw new RangeError('broken')
      return { html, text: null }
    },
    raw: async () => Buffer.from('raw'),
  }
  await attachMessages(inbox as unknown as Inbox, testInfo as unknown as TestInfo)
  return names
}

test.each(['Подтвердите адрес электронной почты. '.repeat(10), '确认'.repeat(200), '🐝'.repeat(100), 'x'.repeat(300)])(
  'a long subject is cut off between two characters: %s',
  async (subject) => {
    const names = (await attached([{ subject, html: '<p>Hello' }])).map(([name]) => name)
    const [, cut] = /^Email 1 to velvet\.otter47@mayfly\.test: (.+)… \(HTML\)$/.exec(names[0]!)!
    expect(subject.startsWith(cut!) && cut!.isWellFormed()).toBe(true)
    expect(names[1]).toBe(`Email 1 to ${ADDRESS}: ${cut}… (source)`)
  },
)

test('a message that cannot be attached is named, and the others are attached', async () => {
  const names = await attached([{ subject: 'One', html: '1' }, { subject: 'Two' }, { subject: 'Three', html: '3' }])
  expect(names).toEqual([
    [`Email 3 to ${ADDRESS}: One (HTML)`, ''],
    [`Email 3 to ${ADDRESS}: One (source)`, ''],
    [`Email 2 to ${ADDRESS}: Two`, `The message can't be attached: broken`],
    [`Email 1 to ${ADDRESS}: Three (HTML)`, ''],
    [`Email 1 to ${ADDRESS}: Three (source)`, ''],
  ])
})
