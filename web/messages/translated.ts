/** The entries of an English catalogue, in another language. */
export type Translated<English> = { readonly [Key in keyof English]: string }
