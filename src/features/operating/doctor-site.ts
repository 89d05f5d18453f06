import { type Check, type DoctorDeps, findings } from './doctor-finding.ts'

/** Warns about a setting if there is a reason. Reports nothing otherwise. */
const warningCheck = (
  check: string,
  setting: string,
  warning: () => Promise<string | undefined> | string | undefined,
  advice?: string,
): Check => [
  check,
  async () => {
    const found = await warning()
    return found === undefined ? [] : [findings(setting, check)('warn', found, advice)]
  },
]

/** Warns about settings of a public site that endanger it or its visitors. */
export const siteChecks = ({ exposure, sandboxExposure, unnamed, keyExposure }: DoctorDeps): Check[] => [
  warningCheck('Site', 'MAYFLY_PUBLIC_URL', () => exposure),
  warningCheck('Payments', 'MAYFLY_PAYMENT_SANDBOX', () => sandboxExposure, 'set it to off'),
  warningCheck('Operator', 'MAYFLY_OPERATOR_NAME', () => unnamed),
  warningCheck('Service key', 'MAYFLY_SECRET_KEY_FILE', () => keyExposure?.()),
]
