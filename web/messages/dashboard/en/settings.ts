/** Settings. */
export const settings = {
  settingsCheckout: 'Checkout',
  settingsName: 'Name that payers read',
  settingsAccent: 'Colour',
  settingsAccentHint: 'Six digits after #, dark enough to be seen on white.',
  settingsSupportEmail: 'E-mail for questions of payers',
  settingsSupportUrl: 'Page for questions of payers',
  settingsReturnUrl: 'Page that payers return to',
  settingsReturnHint: 'On one of the websites below.',
  settingsOrigins: 'Websites that may begin a checkout',
  settingsOriginsHint: 'Each as https://shop.example, with spaces between them.',
  settingsSave: 'Save',
  settingsSaved: 'Saved. Payers see it from now on.',
  settingsReadOnly: 'Only owners and developers change how the checkout looks.',
  settingsRecipient:
    'Who runs this deployment changes the address that you are paid out to; ask them.',
}
