import { type Check, type DoctorDeps, findings } from './doctor-finding.ts'

/** Warns if the settings make the site public without a public URL. Reports nothing otherwise. */
export const siteCheck = ({ exposure }: Pick<DoctorDeps, 'exposure'>): Check => [
  'Site',
  async () => (exposure === undefined ? [] : [findings('MAYFLY_PUBLIC_URL', 'Site')('warn', exposure)]),
]

/** Warns if the sandbox gives visitors of a public site Premium without a payment. Reports nothing otherwise. */
export const paymentCheck = ({ sandboxExposure }: Pick<DoctorDeps, 'sandboxExposure'>): Check => [
  'Payments',
  async () =>
    sandboxExposure === undefined
      ? []
      : [findings('MAYFLY_PAYMENT_SANDBOX', 'Payments')('warn', sandboxExposure, 'set it to off')],
]

/** Warns if a public site does not say who runs it. Reports nothing otherwise. */
export const operatorCheck = ({ unnamed }: Pick<DoctorDeps, 'unnamed'>): Check => [
  'Operator',
  async () => (unnamed === undefined ? [] : [findings('MAYFLY_OPERATOR_NAME', 'Operator')('warn', unnamed)]),
]

/** Warns if other users can read the file of the service key. Reports nothing otherwise. */
export const keyCheck = ({ keyExposure }: Pick<DoctorDeps, 'keyExposure'>): Check => [
  'Service key',
  async () => {
    const exposure = await keyExposure?.()
    return exposure === undefined ? [] : [findings('MAYFLY_SECRET_KEY_FILE', 'Service key')('warn', exposure)]
  },
]
