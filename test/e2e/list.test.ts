import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { closeContexts } from '#test/support/program/browser.ts'
import { link, type ListStage, openListStage, remove, rows } from './list-stage.ts'
import { violations } from './violations.ts'

let stage: ListStage
beforeAll(async () => {
  stage = await openListStage()
})
afterAll(() => stage.close())
afterEach(() => closeContexts(stage.browser))

test('a deletion can be undone, and happens on the server 8 seconds later', async () => {
  const visitor = await stage.withMessages('Stays', 'Goes')
  const { page } = visitor
  await remove(visitor, 'Goes')
  await expect.poll(() => rows(visitor).count()).toBe(1)
  await page.getByText('Deleted: 1').waitFor()
  expect(await stage.stored(visitor)).toEqual(['Goes', 'Stays'])
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await link(visitor, 'Goes').waitFor()
  await page.getByText('Deleted: 1').waitFor({ state: 'hidden' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Goes')
  await page.mouse.move(0, 0)

  const requests: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') requests.push(request.url())
  })
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await remove(visitor, 'Goes')
  await expect.poll(() => rows(visitor).count()).toBe(1)
  await page.clock.fastForward(7900)
  expect(requests).toEqual([])
  await page.clock.fastForward(200)
  await expect.poll(() => stage.stored(visitor)).toEqual(['Stays'])
  await page.clock.resume()
  await page.getByText('Deleted: 1').waitFor({ state: 'hidden' })
})

test('in the dialog that deletes a long address, it wraps before the @', async () => {
  const { page, address } = await stage.visit({ path: '/th', viewport: { width: 320, height: 568 } })
  await page.locator('[action="/actions/delete"] button').click()
  const shown = page.locator('dialog p bdi')
  // The domain is not broken over two lines, and the text has no invisible characters that would be copied.
  expect(await shown.locator('span').evaluate((domain) => domain.getClientRects().length)).toBe(1)
  expect(await shown.textContent()).toBe(address)
  await page.context().close()
})

test('leaving the page deletes at once', async () => {
  const visitor = await stage.withMessages('Stays', 'Goes')
  await remove(visitor, 'Goes')
  await expect.poll(() => rows(visitor).count()).toBe(1)
  // Only a request with `keepalive` certainly outlives the page.
  await visitor.page.evaluate(() => {
    const { fetch: send } = window
    window.fetch = (input, init) => {
      const path = String(input)
      if (path.endsWith('/messages/delete')) localStorage.setItem('sent', `${path} ${init?.keepalive}`)
      return send(input, init)
    }
  })
  const begun = Date.now()
  await visitor.page.goto('about:blank')
  await expect.poll(() => stage.stored(visitor)).toEqual(['Stays'])
  expect(Date.now() - begun).toBeLessThan(7000)
  await visitor.page.goto(`${stage.program.url}/robots.txt`)
  expect(await visitor.page.evaluate(() => localStorage.getItem('sent'))).toBe('/api/v1/messages/delete true')
})

test('a deletion that fails shows the messages again, and says so', async () => {
  const visitor = await stage.withMessages('Stays', 'Goes')
  const { page } = visitor
  // The code for deletions is loaded with the first one.
  await remove(visitor, 'Goes')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.mouse.move(0, 0)
  await page.clock.install()
  await page.context().setOffline(true)
  await remove(visitor, 'Goes')
  await page.getByText('Deleted: 1', { exact: true }).waitFor()
  await page.clock.fastForward(8100)
  await page.getByText('Not deleted: 1').waitFor()
  await page.getByRole('alert').getByText('No connection.').waitFor()
  await link(visitor, 'Goes').waitFor()
  expect(await violations(page)).toEqual([])
  await page.context().setOffline(false)

  await page.route('**/messages/delete', (route) =>
    route.fulfill({ status: 429, headers: { 'retry-after': '3' }, json: { code: 'too_many_requests' } }),
  )
  await remove(visitor, 'Stays')
  await page.getByText('Not deleted: 1').waitFor({ state: 'hidden' })
  await remove(visitor, 'Goes')
  await page.getByText('Deleted: 2', { exact: true }).waitFor()
  await page.clock.fastForward(8100)
  const alert = page.locator('[data-failed]')
  await alert.getByText('Please try again in 3 seconds.').last().waitFor()
  await expect.poll(() => rows(visitor).count()).toBe(2)
  await page.clock.fastForward(4000)
  await alert.getByText('Please try again').first().waitFor({ state: 'detached' })
  expect(await alert.getByText('Not deleted: 1').isVisible()).toBe(true)
  expect(await stage.stored(visitor)).toEqual(['Goes', 'Stays'])
  await alert.getByRole('button', { name: 'Close', exact: true }).click()
  await alert.waitFor({ state: 'detached' })
})

test('several messages are selected and deleted', async () => {
  const visitor = await stage.withMessages('One', 'Two', 'Three')
  const { page } = visitor
  await page.getByRole('button', { name: 'Select several' }).click()
  await page.getByLabel('Select “One”').check()
  await page.getByLabel('Select “Three”').check()
  await page.getByText('Selected: 2').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('group', { name: 'Select several' }).getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => rows(visitor).count()).toBe(1)
  await link(visitor, 'Two').waitFor()
  await page.getByText('Deleted: 2').waitFor()
  expect(await violations(page)).toEqual([])
  await page.goto('about:blank')
  await expect.poll(() => stage.stored(visitor)).toEqual(['Two'])
})

test('search and filters reduce the list, also by messages that are loaded for them', async () => {
  const visitor = await stage.withMessages('Plain words')
  const { page, send } = visitor
  await send('A code', { text: 'Your verification code is 482913' })
  await send('With a file', { attachments: [{ filename: 'a.txt', content: 'x' }] })
  await expect.poll(() => rows(visitor).count()).toBe(3)
  // Not while the page is open: it would draw each of them.
  await page.goto('about:blank')
  for (let i = 0; i < 52; i++) await send(`Later ${i}`)
  await page.goto(`${stage.program.url}/en`)
  await expect.poll(() => rows(visitor).count()).toBe(50)
  await page.getByRole('button', { name: 'Search' }).click()
  const field = page.getByRole('searchbox', { name: 'Search sender, subject, text' })
  // A failure is repeated a little later, and not by each key.
  let failed = 0
  await page.route('**/api/v1/messages?before=*', (route) =>
    failed++ === 0 ? route.abort() : route.fulfill({ status: 502, body: 'Bad gateway' }),
  )
  await field.fill('plain')
  await page.getByRole('alert').getByText('No connection').waitFor()
  await field.fill('plain words')
  expect(failed).toBe(1)
  await expect.poll(() => failed).toBe(2)
  await page.unroute('**/api/v1/messages?before=*')
  // A refusal by limits ends by itself, and so does the pause of the search.
  let refused = 0
  await page.route(
    '**/api/v1/messages?before=*',
    (route) => {
      refused++
      return route.fulfill({
        status: 429,
        headers: { 'retry-after': '1', 'content-type': 'application/problem+json' },
        json: { code: 'too_many_requests', status: 429, title: 'Too many requests' },
      })
    },
    { times: 1 },
  )
  await field.fill('plain')
  await expect.poll(() => refused).toBe(1)
  await page.getByRole('alert').getByText('Too many requests').first().waitFor()
  expect(await page.getByText('No email matches.').count()).toBe(0)
  await link(visitor, 'Plain words').waitFor()
  expect(await rows(visitor).count()).toBe(1)
  await link(visitor, 'Plain words').waitFor()
  expect(await rows(visitor).count()).toBe(1)
  await field.fill('nothing like this')
  await page.getByText('No email matches.').waitFor()
  await field.fill('')
  await page.getByRole('button', { name: 'With a code or link' }).click()
  await expect.poll(() => rows(visitor).count()).toBe(1)
  await page.getByRole('button', { name: 'With a code or link' }).click()
  await page.getByRole('button', { name: 'With attachments' }).click()
  await link(visitor, 'With a file').waitFor()
  expect(await rows(visitor).count()).toBe(1)
  expect(await violations(page)).toEqual([])
  await field.press('Escape')
  await expect.poll(() => rows(visitor).count()).toBe(55)
})

test('shortcuts act on the focused row, not while typing, and can be switched off', async () => {
  const visitor = await stage.withMessages('Third', 'Second', 'First')
  const { page, send } = visitor
  await send('Your code', { text: 'Your verification code is 482913' })
  await link(visitor, 'Your code').waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  await page.keyboard.press('j')
  expect(await focused()).toBe('Your code')
  await page.keyboard.press('c')
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('482913')
  await link(visitor, 'Your code').focus()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  expect(await focused()).toBe('Second')
  await page.keyboard.press('k')
  expect(await focused()).toBe('First')
  await page.keyboard.press('Control+#')
  await page.keyboard.press('#')
  await expect.poll(() => rows(visitor).count()).toBe(3)
  expect(await focused()).toBe('Second')
  await page.keyboard.press('u')
  await expect.poll(() => rows(visitor).count()).toBe(4)
  await page.keyboard.press('Enter')
  await page.locator('article').waitFor()
  // The shortcuts of a message are loaded after it. There is no older one than the third.
  await expect
    .poll(async () => {
      await page.keyboard.press('j')
      return page.getByRole('heading', { name: 'Third', level: 1 }).count()
    })
    .toBe(1)
  await page.keyboard.press('u')
  await rows(visitor).first().waitFor()
  await page.keyboard.press('/')
  await page.getByRole('searchbox').waitFor()
  await page.keyboard.type('j#u?')
  expect(await page.getByRole('searchbox').inputValue()).toBe('j#u?')
  await page.keyboard.press('Escape')
  await expect.poll(() => rows(visitor).count()).toBe(4)

  await link(visitor, 'First').focus()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog')
  await help.getByText('Copy the code').waitFor()
  expect(await violations(page)).toEqual([])
  await help.getByRole('switch', { name: 'Keyboard shortcuts' }).click()
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'hidden' })
  await link(visitor, 'First').focus()
  await page.keyboard.press('j')
  await page.keyboard.press('?')
  expect([await focused(), await help.count()]).toEqual(['First', 0])
})

test('a row offers code and link, says when it ends, and has one link', async () => {
  const visitor = await stage.withMessages('Plain')
  const { page, send } = visitor
  await send('Both', {
    text: 'Your verification code is 482913. Or confirm your address: https://site.example/confirm?token=8fh2k1aa',
  })
  const row = rows(visitor).first()
  await row.getByRole('button', { name: 'Copy the code 482913' }).waitFor()
  await row.getByRole('link', { name: 'Open the confirmation link on site.example' }).waitFor()
  await row.getByText(/^deleted in 2[34] h$/).waitFor()
  const plain = rows(visitor).nth(1)
  expect(await plain.getByRole('link').count()).toBe(1)
  expect(Math.abs(((await plain.boundingBox())?.height ?? 0) - 64)).toBeLessThanOrEqual(4)
  await page.setViewportSize({ width: 390, height: 664 })
  expect(Math.abs(((await plain.boundingBox())?.height ?? 0) - 64)).toBeLessThanOrEqual(6)
})

const LONG = 'A subject that somebody wrote without thinking of small screens, and that goes on and on'

test.each(['/en', '/de', '/ur', '/my'])('in %s, nothing in a row covers anything else at any width', async (path) => {
  const { page, send } = await stage.visit({ path })
  await send(LONG, { attachments: [{ filename: 'a.txt', content: 'x' }] })
  await send(`${LONG} indeed`, {
    from: '"A Company With a Rather Long Name" <no-reply@harbour.example>',
    text: 'Your verification code is 482913. Or confirm your address: https://site.example/confirm?token=8fh2k1aa',
  })
  await page.locator('tbody tr:nth-child(2)').waitFor()
  for (const width of [320, 390, 641, 768, 901, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const overlaps = await page.evaluate(() =>
      [...document.querySelectorAll('tbody tr')].flatMap((row) => {
        const parts = [...row.querySelectorAll('td:first-child bdi, a, time, time + span, svg, [data-offer] button')]
        const boxes = parts
          .map((part) => ({ part, box: part.getBoundingClientRect() }))
          .filter(({ box }) => box.width > 1)
        return boxes.flatMap((one, i) =>
          boxes.slice(i + 1).flatMap((other) => {
            const nested = one.part.contains(other.part) || other.part.contains(one.part)
            const inline = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
            const block = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
            // Lines with a large line height touch each other.
            return !nested && inline > 1 && block > 6 ? [`${one.part.outerHTML} ${other.part.outerHTML}`] : []
          }),
        )
      }),
    )
    expect([width, overlaps]).toEqual([width, []])
  }
})
