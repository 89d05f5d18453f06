const { expect, test } = require('@mayfly/playwright')

test('works in CommonJS', async ({ inbox }) => {
  await expect(inbox).not.toReceive({}, { timeout: 0 })
})
