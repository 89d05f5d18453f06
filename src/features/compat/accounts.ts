import type { PasswordStore } from '#core/compat/password.ts'
import { MayflyError } from '#core/errors.ts'
import type { Clock } from '#core/time.ts'
import type { AddressNames, Addresses, Claims, OpenedAddress } from '#features/mailbox/index.ts'
import { nameKey } from '#mail/sealing/keys.ts'
import type { PasswordBoxes } from './password-box.ts'

/** An address and its password, as clients of mail.tm send them. */
interface Credentials {
  address: string
  password: string
}

/** Addresses that are opened with a password. */
export interface PasswordAccounts {
  /**
   * Creates the address with a secret that is stored under the password. Throws like `Addresses.create`, and
   * `unavailable` if too many logins are waiting.
   */
  create(credentials: Credentials): Promise<OpenedAddress>
  /**
   * Opens the address. Returns undefined if it does not exist or the password is wrong. Both take the same time. Throws
   * `unavailable` if too many logins are waiting.
   */
  open(credentials: Credentials): Promise<OpenedAddress | undefined>
  /** The name under which logins to an address are counted. */
  nameOf(address: string): string
}

interface PasswordAccountsDeps {
  store: PasswordStore
  names: AddressNames
  claims: Claims
  addresses: Pick<Addresses, 'open'>
  boxes: PasswordBoxes
  serviceKey: Uint8Array
  clock: Clock
}

export function createPasswordAccounts(deps: PasswordAccountsDeps): PasswordAccounts {
  const { store, claims, boxes, clock } = deps
  const nameOf = (address: string): string => nameKey(deps.serviceKey, address.trim().toLowerCase())

  return {
    nameOf,

    async create({ address, password }) {
      const at = address.lastIndexOf('@')
      // Checked first, so that an invalid name does not cost a key derivation.
      const names = [
        ...deps.names.forVisitor({ login: address.slice(0, Math.max(0, at)), domain: address.slice(at + 1) }),
      ]
      const key = await boxes.newKey(password)
      const created = await claims.claimFirst(names, { lifetime: 'day' })
      const addressId = created.open.row.id
      try {
        const sealedSecret = key.seal(addressId, created.secret)
        if (!(await store.set({ addressId, sealedSecret }, clock()))) throw new MayflyError('store_unavailable')
      } catch (error) {
        // Without its password, nobody could ever open the address.
        await claims.undo(created.open)
        throw error
      }
      return created
    },

    async open({ address, password }) {
      const secret = await boxes.open(password, await store.find(nameOf(address), clock()))
      const open = secret === undefined ? undefined : await deps.addresses.open(secret)
      return secret === undefined || !open ? undefined : { secret, open }
    },
  }
}
