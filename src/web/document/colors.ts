/** Where the browser keeps the chosen colors: `light` or `dark`; nothing for those of the device. */
export const COLORS_KEY = 'mayfly:colors'

/** Sets the chosen colors before the first paint. */
export const COLORS_SCRIPT = `try{const c=localStorage.getItem('${COLORS_KEY}');if(c){document.documentElement.dataset.colors=c;for(const m of document.querySelectorAll('[name=theme-color]'))m.media=m.dataset.colors===c?'all':'not all'}}catch{}`
