import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf } from '#test/support/codes.ts'
import { actionsOf, type ForwardingFixture, openForwardingFixture } from '#test/support/fixtures/forwarding.ts'

let fixture: ForwardingFixture
beforeAll(async () => {
  fixture = await openForwardingFixture()
})
afterAll(() => fixture.close())

const { newDestination, only } = actionsOf(() => fixture)

/** Flips one bit of every stored destination. */
async function damage(): Promise<void> {
  const { wraps } = fixture.store
  for (const each of await wraps.list('forwardings.sealed_destination', 2, 100)) {
    const sealed = Buffer.from(each.sealed)
    sealed.writeUInt8(sealed.readUInt8(20) ^ 1, 20)
    await wraps.replace('forwardings.sealed_destination', each, sealed)
  }
}

async function asked() {
  const to = newDestination()
  const open = await fixture.open()
  await fixture.forwardings.ask(open, to, 'en')
  return { open, link: await fixture.linkTo(to) }
}

test('a damaged destination is shown as empty, cannot be asked again, and can be removed', async () => {
  const { open } = await asked()
  await damage()
  const { id } = (await only(open))!
  expect(await only(open)).toMatchObject({ destination: '', state: 'waiting' })
  await fixture.forwardings.end(open, id)
  expect(await codeOf(fixture.forwardings.restart(open, id))).toBe('destination_invalid')
  await fixture.forwardings.end(open, id)
  expect((await fixture.forwardings.list(open)).forwardings).toEqual([])
})

test('links to a damaged destination still open; such a destination can refuse, but not agree', async () => {
  const { open, link } = await asked()
  const { link: other, open: on } = await asked()
  const stop = { kind: 'stop', token: (await fixture.consent.act(other, 'confirm'))! } as const
  await damage()
  for (const each of [link, stop]) expect(await fixture.consent.view(each)).toMatchObject({ live: true, route: null })
  expect(await fixture.consent.act(link, 'confirm')).toBeUndefined()
  expect(await only(open)).toMatchObject({ state: 'waiting' })
  expect(await fixture.consent.act(link, 'decline')).toBeDefined()
  expect(await fixture.consent.act(stop, 'stop')).toBeDefined()
  for (const each of [open, on]) expect(await only(each)).toMatchObject({ state: 'ended', end: 'declined' })
})
