/** Web Push: tells browsers that a message arrived, also while no page is open. */
export { createPushKeys, type PushKeysOf } from './push-keys.ts'
export { createPushSender } from './push-sender.ts'
export { createPushes, type Pushes } from './pushes.ts'
