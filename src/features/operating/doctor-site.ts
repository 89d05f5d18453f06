import { type Check, type DoctorDeps, findings } from './doctor-finding.ts'

/** Warns about settings that endanger the site or its visitors. Reports nothing if there are none. */
export const siteChecks = ({ siteWarnings, keyExposure }: DoctorDeps): Check[] => [
  ...siteWarnings.map(({ check, setting, found, advice }): Check => [
    check,
    async () => [findings(setting, check)('warn', found, advice)],
  ]),
  [
    'Service key',
    async () => {
      const found = await keyExposure?.()
      return found === undefined ? [] : [findings('MAYFLY_SECRET_KEY_FILE', 'Service key')('warn', found)]
    },
  ],
]
