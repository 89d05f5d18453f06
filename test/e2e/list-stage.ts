import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { openStage, type Stage, type Visitor } from './stage.ts'

export const link = ({ page }: Visitor, subject: string): Locator =>
  page.getByRole('link', { name: subject, exact: true })
export const rows = ({ page }: Visitor): Locator => page.locator('tbody tr')
export const remove = ({ page }: Visitor, subject: string): Promise<void> =>
  page.getByRole('button', { name: `Delete the email “${subject}”` }).click()

export interface ListStage extends Stage {
  /** A visitor with these messages, the last one on top. */
  withMessages(...subjects: string[]): Promise<Visitor>
  /** The subjects of the messages that the server has. */
  stored(visitor: Visitor): Promise<string[]>
}

/** A stage for tests of the message list. */
export async function openListStage(): Promise<ListStage> {
  const stage = await openStage()
  return {
    ...stage,
    async withMessages(...subjects) {
      const visitor = await stage.visit({ permissions: ['clipboard-read', 'clipboard-write'] })
      for (const [i, subject] of subjects.entries()) {
        await visitor.send(subject)
        await expect.poll(() => rows(visitor).count()).toBe(i + 1)
      }
      await visitor.page.getByRole('button', { name: 'Search' }).waitFor()
      return visitor
    },
    async stored({ page }) {
      const response = await page.request.get(`${stage.program.url}/api/v1/messages`)
      return ((await response.json()) as { messages: { subject: string }[] }).messages.map(({ subject }) => subject)
    },
  }
}
