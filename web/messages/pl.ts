import type { Messages } from './en.ts'

export const pl: Messages = {
  decimalMark: ',',
  groupMark: '\u00a0',

  title: 'Zapłać: {merchant}',

  chooseTitle: 'Wybierz sposób płatności',
  chooseHint: 'Twój portfel lub giełda musi wysłać w sieci, którą tu wybierzesz.',
  networkOk: 'Działa normalnie',
  networkSlow: 'Wolniej niż zwykle',
  usually: 'zwykle {time}',
  seconds: '{n|one:# sekunda|few:# sekundy|many:# sekund|other:# sekundy}',
  minutes: '{n|one:# minuta|few:# minuty|many:# minut|other:# minuty}',
  goOn: 'Dalej',
  working: 'Chwileczkę',
  tokenOnNetwork: '{token} w sieci {network}',
  change: 'Zmień token lub sieć',

  waitingTitle: 'Czekamy na płatność',
  waitingNext:
    'Wyślij dokładnie kwotę podaną niżej. Ta strona pokaże ją, gdy tylko trafi do sieci.',
  choosingTitle: 'Wszystko gotowe',
  seenTitle: 'Płatność zauważona',
  seenNext:
    'Nie musisz nic więcej robić. Liczy się, gdy sieć ją potwierdzi. Zwykle trwa to: {time}.',
  seenPartNext: 'Jest potwierdzana. Brakuje jeszcze {due}: wyślij na ten sam adres.',
  partialTitle: 'Brakuje jeszcze {due}',
  partialNext: 'Dotarło {received} z {expected}. Wyślij resztę na ten sam adres.',
  paidTitle: 'Zapłacono',
  paidNext:
    'Płatność jest potwierdzona i w drodze. Odbiorca: {merchant}. Możesz zamknąć tę stronę.',
  completedTitle: 'Płatność zakończona',
  completedNext: 'Płatność dotarła. Odbiorca: {merchant}.',
  expiredTitle: 'Czas na płatność minął',
  expiredNext: 'Nie wysyłaj już nic na ten adres. Poproś o nową płatność: {merchant}.',
  expiredPartNext:
    'Na czas dotarło {received} z {expected}. {merchant} to widzi i może zwrócić pieniądze.',
  lateTitle: 'Płatność przyszła za późno',
  lateNext: '{late} dotarło po terminie. {merchant} o tym wie i może je przyjąć lub zwrócić.',
  overpaidTitle: 'Wysłano o {overpaid} za dużo',
  overpaidNext:
    'Reszta nie przepadła: trafia do odbiorcy razem z płatnością. O zwrot poproś: {merchant}.',
  earlierNext:
    'Część pieniędzy trafiła na adres pokazany tu przed zmianą wyboru. {merchant} to widzi i może je zwrócić.',

  amountToSend: 'Dokładna kwota',
  addressToSend: 'Adres',
  copy: 'Kopiuj',
  copied: 'Skopiowano',
  copyAmount: 'Kopiuj dokładną kwotę',
  copyAddress: 'Kopiuj adres',
  amountCopied: 'Kwota jest skopiowana.',
  addressCopied: 'Adres jest skopiowany.',
  copyRefused: 'Przeglądarka nie pozwala kopiować. Zaznacz tekst i skopiuj go samodzielnie.',
  qrTitle: 'Kod QR',
  qrPlain: 'Tylko adres',
  qrRequest: 'Z kwotą',
  qrPlainLabel: 'Kod QR adresu',
  qrRequestLabel: 'Kod QR adresu, tokena i kwoty',
  qrRequestHint: 'Nie każdy portfel czyta ten kod. Przed wysłaniem sprawdź token i kwotę.',
  onlyThis: 'Wysyłaj tylko {token} i tylko w sieci {network}.',
  payBy: 'Zapłać do {time}',
  timeLeft: 'zostało {time}',
  helpTitle: 'A jeśli będzie za późno lub za mało?',
  helpLate:
    'Spóźniona płatność nie przepada. {merchant} dostaje wiadomość i może ją przyjąć lub zwrócić.',
  helpFees:
    'Giełdy często potrącają opłatę. Jeśli dotrze za mało, ta strona powie, ile brakuje, a resztę wyślesz na ten sam adres.',

  walletTitle: 'Albo zapłać z portfela',
  walletPay: 'Zapłać przez {wallet}',
  walletConnecting: 'Połącz się w {wallet}.',
  walletSwitching: 'Przełącz {wallet} na sieć {network}.',
  walletConfirming: 'Potwierdź płatność w {wallet}.',
  walletSent: 'Płatność wysłana przez {wallet}. Zaraz będzie w sieci.',
  walletDeclined: 'Odmowa w {wallet}. Nic nie wysłano.',
  walletBusy: 'W {wallet} jest otwarte pytanie. Najpierw na nie odpowiedz.',
  walletElsewhere: '{wallet} jest nadal w innej sieci. Przełącz na {network} i spróbuj ponownie.',
  walletFailed:
    'Nie udało się wysłać przez {wallet}. Sprawdź, czy jest tam dość {token} oraz {coin} na opłatę sieci.',
  walletTab: 'Otwórz w nowej karcie, aby zapłacić z portfela',
  walletApp: 'Otwórz w aplikacji portfela',
  opensTab: 'otwiera się w nowej karcie',

  transfersTitle: 'Twoje płatności',
  explorer: 'Pokaż w eksploratorze',
  confirmations: 'Potwierdzenia: {n} z {needed}',
  statusPending: 'Potwierdzana',
  statusConfirmed: 'Potwierdzona',
  statusReverted: 'Nieudana w sieci',
  kindLate: 'Spóźniona',
  kindOther: 'Inny token lub inna sieć',
  transferReturning: '{amount} jest w drodze powrotnej.',
  transferReturned: 'Zwrócono {amount}.',

  hashTitle: 'Już wysłano? Wklej hash transakcji',
  hashLabel: 'Hash transakcji',
  hashHint: '0x i 64 znaki. Twój portfel lub giełda pokazuje go przy płatności.',
  hashSend: 'Sprawdź',
  hashWrong: 'To jeszcze nie hash. Składa się z 0x i 64 znaków od 0 do 9 i od a do f.',
  lookupPayment: 'Znaleziona w sieci {network}. Opłaca tę płatność i liczy się po potwierdzeniu.',
  lookupLate:
    'Znaleziona w sieci {network}, ale dotarła po terminie. Liczy się tylko, jeśli {merchant} ją przyjmie.',
  lookupOtherNetwork:
    'Trafiła na właściwy adres, ale w sieci {network}, której tu nie było. {merchant} ją widzi: zapytaj tam, co dalej.',
  lookupOtherToken:
    'Trafiła na właściwy adres w sieci {network}, ale w innym tokenie. {merchant} ją widzi: zapytaj tam, co dalej.',
  lookupElsewhere:
    'Znaleziona w sieci {network}. Sprawdziliśmy jej transfery tokenów, monetę wysłaną przez nią samą oraz saldo adresu z tej strony przed jej blokiem i po nim i nie znaleźliśmy niczego dla tej płatności. Porównaj adres w swoim portfelu.',
  lookupFailed: 'Nie udała się w sieci {network}, więc nic nie wysłano. Możesz zapłacić ponownie.',
  lookupNotMined:
    '{network} ją zna, ale nie jest jeszcze w żadnym bloku. Ta strona ją pokaże; nie wysyłaj drugi raz.',
  lookupUnknown:
    'Nie zna jej żadna sieć, którą obserwujemy. Sprawdź hash oraz czy wysłano w sieci podanej tutaj.',
  lookupLooking:
    'Nie każda sieć odpowiedziała. Płatność na ten adres pojawi się tu sama; w innym przypadku poszukaj ponownie za minutę.',

  refundTitle: 'Podaj adres do zwrotów',
  refundLabel: 'Twój adres',
  refundHint: 'Własny adres, który przyjmuje ten token w sieci płatności. Nie adres giełdy.',
  refundSend: 'Zapisz',
  refundSaved: 'Zwrot pieniędzy ({merchant}) trafi na {address}.',
  refundWrong: 'To jeszcze nie adres. Składa się z 0x i 40 znaków od 0 do 9 i od a do f.',

  tooOften: 'Za często w krótkim czasie. Odczekaj minutę i spróbuj ponownie.',
  tryAgain: 'Nie udało się. Spróbuj ponownie.',
  offline: 'Połączenie zostało przerwane. Próbujemy dalej; płatność jest bezpieczna.',
  refresh: 'Odśwież tę stronę',
  refreshHint: 'Bez JavaScriptu ta strona nie zmienia się sama.',

  receiptTitle: 'Potwierdzenie',
  receiptMerchant: 'Odbiorca',
  receiptFor: 'Za co',
  receiptAmount: 'Kwota',
  receiptReceived: 'Otrzymano',
  receiptReference: 'Numer',
  receiptDate: 'Data',
  receiptTransaction: 'Transakcja w sieci {network}',
  print: 'Drukuj potwierdzenie',
  goBack: 'Wróć: {merchant}',
  close: 'Zamknij',

  support: 'Pytania o tę płatność?',
  supportMail: 'Napisz: {merchant}',
  supportPage: 'Pomoc: {merchant}',
  supportNone: 'Skontaktuj się tak, jak tu trafiłeś: {merchant}.',
  quote: 'Podaj {reference}.',
  language: 'Język',
  languageSet: 'Wybierz',
}
