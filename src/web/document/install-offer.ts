/** Chromium's offer to install the site (`beforeinstallprompt`, not standardized). */
interface InstallOffer extends Event {
  prompt(): Promise<unknown>
}

type Place = Window & { installOffer?: InstallOffer | undefined }

/** Chromium makes the offer once, possibly before the site's scripts run. The page about the app needs it later. */
export const OFFER_SCRIPT = `addEventListener('beforeinstallprompt',e=>{window.installOffer=e})`

/** Returns the offer and forgets it, because it works once. */
export function takeInstallOffer(): InstallOffer | undefined {
  const { installOffer } = window as Place
  ;(window as Place).installOffer = undefined
  return installOffer
}

/** Whether there is an offer. */
export const hasInstallOffer = (): boolean => (window as Place).installOffer !== undefined
