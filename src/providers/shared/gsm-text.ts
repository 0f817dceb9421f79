/** The basic set of GSM 03.38 and its extension: what one SMS carries as 160 characters instead of 70. */
const gsm = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà\f^{}\\[~\]|€]*$/

/** Whether a text can go without Unicode. */
export function isGsmText(text: string): boolean {
  return gsm.test(text)
}
