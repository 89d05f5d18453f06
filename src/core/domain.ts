export type Tier = 'free' | 'premium'

/** A mail domain of this service, lower case, in its ASCII form. */
export interface Domain {
  name: string
  tier: Tier
}
