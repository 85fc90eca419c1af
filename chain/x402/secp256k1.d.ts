/** What is used of the addon of the package secp256k1, which comes without types. */
declare module 'secp256k1/bindings' {
  const addon: {
    /** The public key, 0x04 and 64 bytes if not compressed. Throws when there is none. */
    ecdsaRecover(
      signature: Uint8Array,
      recoveryId: number,
      digest: Uint8Array,
      isCompressed: boolean,
    ): Uint8Array
  }
  export default addon
}
