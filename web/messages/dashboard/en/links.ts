/** Payment links. */
export const links = {
  invoiceKinds: 'Invoices and payment links',
  links: 'Payment links',
  linksHint:
    'An address that stays. Whoever has it can pay, each with an invoice of their own: send it, or print its QR code.',
  linksNoneTitle: 'No payment link yet',
  linksNoneNext: 'Make the first one here. It takes no shop and no code.',
  linksShown: '{n|one:# payment link|other:# payment links} shown',
  linkAdd: 'New payment link',
  linkAddDo: 'Make the link',
  linkFor: 'What it is for',
  linkForHint: 'Payers read it beside the amount.',
  linkEitherToken: 'As the payer likes',
  linkLimit: 'How often it can be paid',
  linkLimitHint: 'Both may stay empty: then it takes any number of payments, without end.',
  linkUses: 'Payments',
  linkUsesOf: '{n} of {most}',
  linkOpen: 'Takes payments',
  linkShut: 'Takes none',
  linkCode: 'QR code',
}
