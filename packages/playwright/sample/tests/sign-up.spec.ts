import { expect, test } from '@mayfly/playwright'

test('signs up with a code from an email', async ({ page, inbox }) => {
  await page.goto('/sign-up')
  await page.getByLabel('Email').fill(inbox.address)
  await page.getByRole('button').click()

  await page.getByLabel('Code').fill(await inbox.waitForCode({ subject: 'Confirm' }))
  await page.getByRole('button').click()
  await expect(page.getByRole('heading')).toHaveText('Welcome')
})

test('sends one email, from the right sender', async ({ page, inbox }) => {
  await page.goto('/sign-up')
  await page.getByLabel('Email').fill(inbox.address)
  await page.getByRole('button').click()

  await expect(inbox).toReceive({ subject: /^Confirm/, from: 'noreply@sample.example', code: /^\d{6}$/ })
  await expect(inbox).not.toReceive({ subject: 'Newsletter' }, { timeout: 0 })
})
