import { COLORS_SCRIPT } from './colors.ts'
import { OFFER_SCRIPT } from './install-offer.ts'
import { MISSING_SCRIPTS_SCRIPT } from './missing-scripts.ts'

/**
 * The inline script of every page: what cannot wait for the site's scripts. It is the same everywhere, because the
 * content security policy names its hash.
 */
export const EARLY_SCRIPT = `${COLORS_SCRIPT};${OFFER_SCRIPT};${MISSING_SCRIPTS_SCRIPT}`
