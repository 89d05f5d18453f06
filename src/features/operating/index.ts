/** Operation of the service: `doctor`, DNS records, MTA-STS, the contact forms and the check of the service key. */
export { allDomains, type Presence, spfTerms, zoneLines } from './dns-records.ts'
export { areWrapsBound, createBindWraps, readBoundFrom } from './bind-wraps.ts'
export { createDoctor, type Doctor } from './doctor.ts'
export type { Finding } from './doctor-finding.ts'
export { createMtaSts, type MtaSts, POLICY_PATH } from './mta-sts.ts'
export { ensureServiceKey, fingerprintOf, OtherServiceKey } from './service-key.ts'
export { createSupport, type Support } from './support.ts'
