import { type Check, type DoctorDeps, findings } from './doctor-finding.ts'

/** Whether settings make the site public without saying where. Reports only a problem. */
export const siteCheck = ({ exposure }: Pick<DoctorDeps, 'exposure'>): Check => [
  'Site',
  async () => (exposure === undefined ? [] : [findings('MAYFLY_PUBLIC_URL', 'Site')('warn', exposure)]),
]

/** Whether visitors of a public site get Premium without paying. Reports only a problem. */
export const paymentCheck = ({ sandboxExposure }: Pick<DoctorDeps, 'sandboxExposure'>): Check => [
  'Payments',
  async () =>
    sandboxExposure === undefined
      ? []
      : [findings('MAYFLY_PAYMENT_SANDBOX', 'Payments')('warn', sandboxExposure, 'set it to off')],
]

/** Whether others can read the file of the service key. Reports only a problem. */
export const keyCheck = ({ keyExposure }: Pick<DoctorDeps, 'keyExposure'>): Check => [
  'Service key',
  async () => {
    const exposure = await keyExposure?.()
    return exposure === undefined ? [] : [findings('MAYFLY_SECRET_KEY_FILE', 'Service key')('warn', exposure)]
  },
]
