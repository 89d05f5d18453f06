import { HOUR, MINUTE } from '#core/time.ts'

/** The zones of Windows, as in `windowsZones.xml` of the Unicode CLDR, without "Standard Time" at the end of their names. */
const WINDOWS = new Map(
  `Aleutian America/Adak|Hawaiian Pacific/Honolulu|Marquesas Pacific/Marquesas|Alaskan America/Anchorage
  Pacific America/Los_Angeles|US Mountain America/Phoenix|Mountain America/Denver|Yukon America/Whitehorse
  Central America America/Guatemala|Central America/Chicago|Easter Island Pacific/Easter|Canada Central America/Regina
  SA Pacific America/Bogota|Eastern America/New_York|Haiti America/Port-au-Prince|Cuba America/Havana
  US Eastern America/Indianapolis|Turks And Caicos America/Grand_Turk|Paraguay America/Asuncion|Atlantic America/Halifax
  Venezuela America/Caracas|Central Brazilian America/Cuiaba|SA Western America/La_Paz|Pacific SA America/Santiago
  Newfoundland America/St_Johns|Tocantins America/Araguaina|E. South America America/Sao_Paulo|SA Eastern America/Cayenne
  Argentina America/Buenos_Aires|Greenland America/Godthab|Montevideo America/Montevideo|Magallanes America/Punta_Arenas
  Saint Pierre America/Miquelon|Bahia America/Bahia|Azores Atlantic/Azores|Cape Verde Atlantic/Cape_Verde|GMT Europe/London
  Greenwich Atlantic/Reykjavik|Sao Tome Africa/Sao_Tome|Morocco Africa/Casablanca|W. Europe Europe/Berlin
  Central Europe Europe/Budapest|Romance Europe/Paris|Central European Europe/Warsaw|W. Central Africa Africa/Lagos
  Jordan Asia/Amman|GTB Europe/Bucharest|Middle East Asia/Beirut|Egypt Africa/Cairo|E. Europe Europe/Chisinau
  Syria Asia/Damascus|West Bank Asia/Hebron|South Africa Africa/Johannesburg|FLE Europe/Kiev|Israel Asia/Jerusalem
  South Sudan Africa/Juba|Kaliningrad Europe/Kaliningrad|Sudan Africa/Khartoum|Libya Africa/Tripoli|Namibia Africa/Windhoek
  Arabic Asia/Baghdad|Turkey Europe/Istanbul|Arab Asia/Riyadh|Belarus Europe/Minsk|Russian Europe/Moscow
  E. Africa Africa/Nairobi|Iran Asia/Tehran|Arabian Asia/Dubai|Astrakhan Europe/Astrakhan|Azerbaijan Asia/Baku
  Russia Time Zone 3 Europe/Samara|Mauritius Indian/Mauritius|Saratov Europe/Saratov|Georgian Asia/Tbilisi
  Volgograd Europe/Volgograd|Caucasus Asia/Yerevan|Afghanistan Asia/Kabul|West Asia Asia/Tashkent
  Ekaterinburg Asia/Yekaterinburg|Pakistan Asia/Karachi|Qyzylorda Asia/Qyzylorda|India Asia/Calcutta|Sri Lanka Asia/Colombo
  Nepal Asia/Katmandu|Central Asia Asia/Bishkek|Bangladesh Asia/Dhaka|Omsk Asia/Omsk|Myanmar Asia/Rangoon
  SE Asia Asia/Bangkok|Altai Asia/Barnaul|W. Mongolia Asia/Hovd|North Asia Asia/Krasnoyarsk
  N. Central Asia Asia/Novosibirsk|Tomsk Asia/Tomsk|China Asia/Shanghai|North Asia East Asia/Irkutsk
  Singapore Asia/Singapore|W. Australia Australia/Perth|Taipei Asia/Taipei|Ulaanbaatar Asia/Ulaanbaatar
  Aus Central W. Australia/Eucla|Transbaikal Asia/Chita|Tokyo Asia/Tokyo|North Korea Asia/Pyongyang|Korea Asia/Seoul
  Yakutsk Asia/Yakutsk|Cen. Australia Australia/Adelaide|AUS Central Australia/Darwin|E. Australia Australia/Brisbane
  AUS Eastern Australia/Sydney|West Pacific Pacific/Port_Moresby|Tasmania Australia/Hobart|Vladivostok Asia/Vladivostok
  Lord Howe Australia/Lord_Howe|Bougainville Pacific/Bougainville|Russia Time Zone 10 Asia/Srednekolymsk
  Magadan Asia/Magadan|Norfolk Pacific/Norfolk|Sakhalin Asia/Sakhalin|Central Pacific Pacific/Guadalcanal
  Russia Time Zone 11 Asia/Kamchatka|New Zealand Pacific/Auckland|Fiji Pacific/Fiji|Chatham Islands Pacific/Chatham
  Tonga Pacific/Tongatapu|Samoa Pacific/Apia|Line Islands Pacific/Kiritimati`
    .split(/\s*[|\n]\s*/)
    .map((entry): [string, string] => {
      const space = entry.lastIndexOf(' ')
      return [entry.slice(0, space).toLowerCase(), entry.slice(space + 1)]
    }),
)
const OF_WINDOWS = /^(.{1,30}?)(?: (?:standard|daylight) time)?$/i
/** Windows zones of Mexico: the name of another zone, followed by the country. */
const MEXICO: Record<string, string> = {
  'pacific standard time (mexico)': 'America/Tijuana',
  'mountain standard time (mexico)': 'America/Mazatlan',
  'central standard time (mexico)': 'America/Mexico_City',
  'eastern standard time (mexico)': 'America/Cancun',
}

/** The longest name of a time zone has 32 characters. */
const IANA_MAX_LENGTH = 50
/** The longest name at the end of an id, such as `/freeassociation.sourceforge.net/Tzfile/Europe/Berlin`. */
const IANA = /[A-Z]\w+(?:\/[A-Z][\w+-]+)+$/
/** The names at the end of an id that may be one of the IANA database: of three words, or of two. */
const ianaIn = (zone: string): string[] => {
  const words = (IANA.exec(zone.slice(-IANA_MAX_LENGTH))?.[0] ?? '').split('/')
  return [3, 2].flatMap((count) => (words.length >= count ? words.slice(-count).join('/') : []))
}

/** A zone that is an offset of less than 15 hours, such as `GMT+0200`. */
const OFFSET = /^(?:gmt|utc)? ?([+-])(0?\d|1[0-4])(?::?([0-5]\d))?$/i

/** The UTC time of a local time in a zone of the IANA database, undefined for an unknown zone. */
function inIana(local: number, timeZone: string): number | undefined {
  const shownAt = (time: number): number => {
    const options = { timeZone, hourCycle: 'h23', numberingSystem: 'latn', calendar: 'gregory' } as const
    const parts = new Intl.DateTimeFormat('en', {
      ...options,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    }).formatToParts(time)
    const [year = 0, month = 1, day, hour, minute, second] = ['year', 'month', 'day', 'hour', 'minute', 'second'].map(
      (name) => Number(parts.find(({ type }) => type === name)?.value),
    )
    return Date.UTC(year, month - 1, day, hour, minute, second)
  }
  try {
    // The second step is needed near a change of the offset.
    const once = local - (shownAt(local) - local)
    return once - (shownAt(once) - local)
  } catch {
    return undefined
  }
}

/** Returns the UTC time of a local time in a zone that calendars name. Undefined for an unknown zone. */
export function inZone(local: number, zone: string): number | undefined {
  const name = zone.trim()
  const [, sign, hours, minutes = '0'] = OFFSET.exec(name) ?? []
  if (sign) return local - (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE)
  const ofWindows = MEXICO[name.toLowerCase()] ?? WINDOWS.get(OF_WINDOWS.exec(name)?.[1]?.toLowerCase() ?? '')
  const names = [name, ofWindows ?? '', ...ianaIn(name)]
  for (const each of names) {
    const time = each === '' ? undefined : inIana(local, each)
    if (time !== undefined) return time
  }
  return undefined
}
