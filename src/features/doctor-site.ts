import type { Check, DoctorDeps } from './doctor.ts'
import { findings } from './doctor-finding.ts'

/** Whether settings make the site public without saying where. Says something only where that is wrong. */
export const siteCheck = ({ exposure }: Pick<DoctorDeps, 'exposure'>): Check => [
  'Site',
  async () => (exposure === undefined ? [] : [findings('MAYFLY_PUBLIC_URL', 'Site')('warn', exposure)]),
]
