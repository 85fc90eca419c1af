import type { Messages } from './en.ts'

export const pt: Messages = {
  decimalMark: ',',
  groupMark: '.',

  title: 'Pagar a {merchant}',

  chooseTitle: 'Escolha como pagar',
  chooseHint: 'Sua carteira ou corretora precisa enviar pela rede que você escolher aqui.',
  networkOk: 'Funcionando normalmente',
  networkSlow: 'Mais lenta que o normal',
  usually: 'normalmente {time}',
  seconds: '{n|one:# segundo|other:# segundos}',
  minutes: '{n|one:# minuto|other:# minutos}',
  goOn: 'Continuar',
  working: 'Um momento',
  tokenOnNetwork: '{token} em {network}',
  change: 'Mudar token ou rede',

  waitingTitle: 'Aguardando seu pagamento',
  waitingNext: 'Envie o valor exato abaixo. Esta página o mostra assim que ele estiver na rede.',
  choosingTitle: 'Tudo pronto',
  seenTitle: 'Pagamento visto',
  seenNext:
    'Você não precisa fazer mais nada. Ele conta quando a rede o confirma, normalmente em {time}.',
  seenPartNext: 'Está sendo confirmado. Ainda faltam {due}: envie para o mesmo endereço.',
  partialTitle: 'Ainda faltam {due}',
  partialNext: 'Chegaram {received} de {expected}. Envie o restante para o mesmo endereço.',
  paidTitle: 'Pago',
  paidNext:
    'Seu pagamento está confirmado e a caminho de {merchant}. Você pode fechar esta página.',
  completedTitle: 'Pagamento concluído',
  completedNext: '{merchant} recebeu seu pagamento.',
  expiredTitle: 'O prazo para pagar terminou',
  expiredNext: 'Não envie mais nada para este endereço. Peça um novo pagamento a {merchant}.',
  expiredPartNext:
    'Chegaram a tempo {received} de {expected}. {merchant} vê isso e pode devolver a você.',
  lateTitle: 'Um pagamento chegou atrasado',
  lateNext: '{late} chegaram depois do prazo. {merchant} foi avisado e pode aceitar ou devolver.',
  overpaidTitle: 'Você enviou {overpaid} a mais',
  overpaidNext:
    'O restante não está perdido: chega a {merchant} com seu pagamento. Peça a {merchant} que o devolva.',
  earlierNext:
    'Você também enviou dinheiro a um endereço mostrado aqui antes da nova escolha. {merchant} vê isso e pode devolver.',

  amountToSend: 'Valor exato',
  addressToSend: 'Endereço',
  copy: 'Copiar',
  copied: 'Copiado',
  copyAmount: 'Copiar o valor exato',
  copyAddress: 'Copiar o endereço',
  amountCopied: 'O valor foi copiado.',
  addressCopied: 'O endereço foi copiado.',
  copyRefused: 'Seu navegador não permite copiar. Selecione o texto e copie você mesmo.',
  qrTitle: 'Código QR',
  qrPlain: 'Só o endereço',
  qrRequest: 'Com valor',
  qrPlainLabel: 'Código QR do endereço',
  qrRequestLabel: 'Código QR do endereço, do token e do valor',
  qrRequestHint: 'Nem toda carteira lê este código. Confira token e valor antes de enviar.',
  onlyThis: 'Envie somente {token}, e somente pela rede {network}.',
  payBy: 'Pague até {time}',
  timeLeft: 'faltam {time}',
  helpTitle: 'E se atrasar, ou faltar dinheiro?',
  helpLate:
    'Um pagamento que chega atrasado não se perde. {merchant} é avisado e pode aceitar ou devolver.',
  helpFees:
    'Corretoras costumam descontar uma taxa. Se chegar menos, esta página diz quanto falta, e você envia para o mesmo endereço.',

  walletTitle: 'Ou pague com uma carteira',
  walletPay: 'Pagar com {wallet}',
  walletConnecting: 'Conecte-se em {wallet}.',
  walletSwitching: 'Mude para {network} em {wallet}.',
  walletConfirming: 'Confirme o pagamento em {wallet}.',
  walletSent: '{wallet} enviou o pagamento. Logo ele estará na rede.',
  walletDeclined: 'Você recusou em {wallet}. Nada foi enviado.',
  walletBusy: '{wallet} tem um pedido aberto. Responda a ele primeiro.',
  walletElsewhere: '{wallet} ainda está em outra rede. Mude para {network} e tente de novo.',
  walletFailed:
    '{wallet} não conseguiu enviar. Confira se há {token} suficiente, e {coin} para a taxa da rede.',
  walletTab: 'Abrir em outra aba para pagar com uma carteira',
  walletApp: 'Abrir em um app de carteira',
  opensTab: 'abre em outra aba',

  transfersTitle: 'Seus pagamentos',
  explorer: 'Ver no explorador',
  confirmations: 'Confirmações: {n} de {needed}',
  statusPending: 'Sendo confirmado',
  statusConfirmed: 'Confirmado',
  statusReverted: 'Falhou na rede',
  kindLate: 'Atrasado',
  kindOther: 'Outro token ou outra rede',
  transferReturning: '{amount} estão sendo devolvidos.',
  transferReturned: '{amount} foram devolvidos.',

  hashTitle: 'Já enviou? Cole o hash da transação',
  hashLabel: 'Hash da transação',
  hashHint: '0x e 64 caracteres. Sua carteira ou corretora o mostra junto ao pagamento.',
  hashSend: 'Procurar',
  hashWrong: 'Isto ainda não é um hash. São 0x e 64 caracteres de 0 a 9 e de a a f.',
  lookupPayment: 'Encontrada em {network}. Ela paga isto e conta assim que for confirmada.',
  lookupLate:
    'Encontrada em {network}, mas chegou depois do prazo. Só conta se {merchant} aceitar.',
  lookupOtherNetwork:
    'Foi para o endereço certo, mas em {network}, que não foi oferecida. {merchant} a vê: pergunte lá o que acontece com ela.',
  lookupOtherToken:
    'Foi para o endereço certo em {network}, mas em outro token. {merchant} a vê: pergunte lá o que acontece com ela.',
  lookupElsewhere:
    'Encontrada em {network}. Verificamos as transferências de tokens dela, a moeda que ela mesma enviou e o saldo do endereço mostrado aqui antes e depois do bloco dela, e não encontramos nada para este pagamento. Compare o endereço na sua carteira.',
  lookupFailed: 'Falhou em {network}, então nada foi enviado. Você pode pagar de novo.',
  lookupNotMined:
    '{network} a conhece, mas ela ainda não está em um bloco. Esta página vai mostrá-la; não envie outra vez.',
  lookupUnknown:
    'Nenhuma rede que observamos a conhece. Confira o hash, e se foi enviada por uma rede oferecida aqui.',
  lookupLooking:
    'Nem todas as redes responderam. Um pagamento para este endereço aparece aqui sozinho; para o resto, procure de novo em um minuto.',

  refundTitle: 'Deixar um endereço para reembolso',
  refundLabel: 'Seu endereço',
  refundHint: 'Um endereço seu que aceite este token na rede em que pagou. Não o de uma corretora.',
  refundSend: 'Salvar',
  refundSaved: 'Se {merchant} devolver dinheiro, ele vai para {address}.',
  refundWrong: 'Isto ainda não é um endereço. São 0x e 40 caracteres de 0 a 9 e de a a f.',

  tooOften: 'Foram vezes demais em pouco tempo. Espere um minuto e tente de novo.',
  tryAgain: 'Não funcionou. Tente de novo.',
  offline: 'A conexão caiu. Continuamos tentando; seu pagamento está seguro.',
  refresh: 'Atualizar esta página',
  refreshHint: 'Sem JavaScript, esta página não muda sozinha.',

  receiptTitle: 'Recibo',
  receiptMerchant: 'Pago a',
  receiptFor: 'Referente a',
  receiptAmount: 'Valor',
  receiptReceived: 'Recebido',
  receiptReference: 'Referência',
  receiptDate: 'Data',
  receiptTransaction: 'Transação em {network}',
  print: 'Imprimir o recibo',
  goBack: 'Voltar a {merchant}',
  close: 'Fechar',

  support: 'Dúvidas sobre este pagamento?',
  supportMail: 'Escrever a {merchant}',
  supportPage: 'Ajuda de {merchant}',
  supportNone: 'Fale com {merchant} por onde você chegou aqui.',
  quote: 'Informe {reference}.',
  language: 'Idioma',
  languageSet: 'Escolher',
}
