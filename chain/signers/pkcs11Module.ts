import { dlopen, linkSymbols, type Pointer, ptr, read } from 'bun:ffi'
import { SignerError } from './signer.ts'

/**
 * The few functions of PKCS#11 (OASIS, version 2.40) that signing needs, called in the module itself. A call
 * lasts as long as the token takes: only threads that may wait call them.
 */

/** In CK_FUNCTION_LIST pointers follow the version, which is padded to the size of one. */
const FIRST_POINTER = 8
const POINTER_SIZE = 8

/** CKR_: what is no error, and what is ours or the key's and not the token's. */
const GOOD = 0n
const ALREADY_INITIALIZED = 0x191n
const ALREADY_LOGGED_IN = 0x100n
const PIN_INCORRECT = 0xa0n
const REFUSALS = new Map([
  [0x60n, 'the key can not be used (CKR_KEY_HANDLE_INVALID)'],
  [0x63n, 'the key is of another type (CKR_KEY_TYPE_INCONSISTENT)'],
  [0x68n, 'the key may not sign (CKR_KEY_FUNCTION_NOT_PERMITTED)'],
  [0x70n, 'the token can not sign by ECDSA (CKR_MECHANISM_INVALID)'],
  [0xa4n, 'the PIN is locked (CKR_PIN_LOCKED)'],
])

const CKF_OS_LOCKING_OK = 2n
const CKF_SERIAL_SESSION = 4n
const CKU_USER = 1n
const CKM_ECDSA = 0x1041n
const CKA_CLASS = 0n
const CKA_LABEL = 3n
const CKA_EC_POINT = 0x181n
const CKO_PUBLIC_KEY = 2n
const CKO_PRIVATE_KEY = 3n
const TOKEN_INFO_BYTES = 208
const LABEL_BYTES = 32
const SIGNATURE_BYTES = 64
const POINT_BYTES_MAX = 256

/** A token locks the PIN after a few of these. */
export class WrongPinError extends SignerError {
  constructor() {
    super('refused', 'the PIN is wrong (CKR_PIN_INCORRECT)')
  }
}

/** The functions of a module, typed by what they take. */
type Functions = ReturnType<typeof functionsOf>

export class Pkcs11Module {
  private readonly functions: Functions
  /** Memory whose addresses are in other memory must outlive the call. */
  alive: readonly unknown[] = []

  /** @throws SignerError when the path is no module. */
  constructor(path: string) {
    this.functions = functionsOf(load(path))
    const options = new BigUint64Array(6)
    options[4] = CKF_OS_LOCKING_OK
    check('C_Initialize', this.functions.initialize(options), ALREADY_INITIALIZED)
  }

  /**
   * Logs in at the token with this label. Returns the session.
   * @throws WrongPinError, or SignerError for everything else.
   */
  login(label: string, pin: string): bigint {
    const { openSession, login } = this.functions
    const session = new BigUint64Array(1)
    const slot = this.slotOf(label)
    check('C_OpenSession', openSession(slot, CKF_SERIAL_SESSION, null, null, session))
    const bytes = new TextEncoder().encode(pin)
    const handle = session[0] ?? 0n
    const answer = login(handle, CKU_USER, bytes, BigInt(bytes.length))
    if (answer === PIN_INCORRECT) throw new WrongPinError()
    check('C_Login', answer, ALREADY_LOGGED_IN)
    return handle
  }

  logout(session: bigint): void {
    check('C_CloseSession', this.functions.closeSession(session))
  }

  /** The handle of the private key with this label. */
  privateKey(session: bigint, label: string): bigint {
    return this.find(session, CKO_PRIVATE_KEY, label)
  }

  /** CKA_EC_POINT of the public key with this label: a point, mostly inside of an OCTET STRING. */
  publicPoint(session: bigint, label: string): Uint8Array {
    const key = this.find(session, CKO_PUBLIC_KEY, label)
    const value = new Uint8Array(POINT_BYTES_MAX)
    const attribute = new BigUint64Array([CKA_EC_POINT, addressOf(value), BigInt(value.length)])
    this.alive = [value]
    const answer = this.functions.getAttributeValue(session, key, attribute, 1n)
    check('C_GetAttributeValue', answer)
    return value.slice(0, Number(attribute[2]))
  }

  /** ECDSA over a digest: r and s, each of 32 bytes. */
  sign(session: bigint, key: bigint, digest: Uint8Array): Uint8Array {
    const mechanism = new BigUint64Array([CKM_ECDSA, 0n, 0n])
    check('C_SignInit', this.functions.signInit(session, mechanism, key))
    const signature = new Uint8Array(SIGNATURE_BYTES)
    const length = new BigUint64Array([BigInt(SIGNATURE_BYTES)])
    const size = BigInt(digest.length)
    check('C_Sign', this.functions.sign(session, digest, size, signature, length))
    return signature.slice(0, Number(length[0]))
  }

  private slotOf(label: string): bigint {
    const { getSlotList, getTokenInfo } = this.functions
    const count = new BigUint64Array(1)
    check('C_GetSlotList', getSlotList(1n, null, count))
    const slots = new BigUint64Array(Math.max(1, Number(count[0])))
    check('C_GetSlotList', getSlotList(1n, slots, count))
    const info = new Uint8Array(TOKEN_INFO_BYTES)
    for (const slot of slots.subarray(0, Number(count[0]))) {
      check('C_GetTokenInfo', getTokenInfo(slot, info))
      const name = new TextDecoder().decode(info.subarray(0, LABEL_BYTES)).trimEnd()
      if (name === label) return slot
    }
    // It may be plugged in later.
    throw new SignerError('absent', `no token is called ${label}`)
  }

  private find(session: bigint, keyClass: bigint, label: string): bigint {
    const { findObjectsInit, findObjects, findObjectsFinal } = this.functions
    const wanted = new BigUint64Array([keyClass])
    const name = new TextEncoder().encode(label)
    const template = new BigUint64Array([
      ...[CKA_CLASS, addressOf(wanted), 8n],
      ...[CKA_LABEL, addressOf(name), BigInt(name.length)],
    ])
    this.alive = [wanted, name]
    const found = new BigUint64Array(2)
    const count = new BigUint64Array(1)
    check('C_FindObjectsInit', findObjectsInit(session, template, 2n))
    check('C_FindObjects', findObjects(session, found, 2n, count))
    check('C_FindObjectsFinal', findObjectsFinal(session))
    if (count[0] === 1n) return found[0] ?? 0n
    const what = keyClass === CKO_PRIVATE_KEY ? 'private' : 'public'
    throw new SignerError('refused', `the token has ${count[0]} ${what} keys called ${label}`)
  }
}

/** Where the module keeps its list of functions. */
function load(path: string): Pointer {
  try {
    const { symbols } = dlopen(path, { C_GetFunctionList: { args: ['ptr'], returns: 'u64' } })
    const found = new BigUint64Array(1)
    check('C_GetFunctionList', symbols.C_GetFunctionList(found))
    return pointerOf(Number(found[0] ?? 0n))
  } catch (cause) {
    throw new SignerError('refused', `${path} can't be loaded as a PKCS#11 module`, { cause })
  }
}

/** Each by its index in the list, and what it takes: numbers, and addresses of memory. */
function functionsOf(list: Pointer) {
  const at = (place: number) => ({
    ptr: pointerOf(read.ptr(list, FIRST_POINTER + place * POINTER_SIZE)),
    returns: 'u64' as const,
  })
  const { symbols } = linkSymbols({
    initialize: { ...at(0), args: ['ptr'] },
    getSlotList: { ...at(4), args: ['u64', 'ptr', 'ptr'] },
    getTokenInfo: { ...at(6), args: ['u64', 'ptr'] },
    openSession: { ...at(12), args: ['u64', 'u64', 'ptr', 'ptr', 'ptr'] },
    closeSession: { ...at(13), args: ['u64'] },
    login: { ...at(18), args: ['u64', 'u64', 'ptr', 'u64'] },
    getAttributeValue: { ...at(24), args: ['u64', 'u64', 'ptr', 'u64'] },
    findObjectsInit: { ...at(26), args: ['u64', 'ptr', 'u64'] },
    findObjects: { ...at(27), args: ['u64', 'ptr', 'u64', 'ptr'] },
    findObjectsFinal: { ...at(28), args: ['u64'] },
    signInit: { ...at(42), args: ['u64', 'ptr', 'u64'] },
    sign: { ...at(43), args: ['u64', 'ptr', 'u64', 'ptr', 'ptr'] },
  })
  return symbols
}

function check(name: string, result: bigint, alsoGood = GOOD): void {
  if (result === GOOD || result === alsoGood) return
  const refusal = REFUSALS.get(result)
  if (refusal !== undefined) throw new SignerError('refused', refusal)
  throw new SignerError('absent', `${name} answers 0x${result.toString(16)} (CKR_)`)
}

function addressOf(memory: Uint8Array | BigUint64Array): bigint {
  return BigInt(ptr(memory))
}

/** Addresses are below 2^53 on all machines that Bun runs on. */
function pointerOf(value: number): Pointer {
  if (isPointer(value)) return value
  throw new SignerError('refused', 'the module lacks functions')
}

function isPointer(value: number): value is Pointer {
  return Number.isSafeInteger(value) && value > 0
}
