const words = (text: string) => text.trim().split(/\s+/);

/** Last tokens of names whose value tells who a person is. */
const LAST = new Set(
  words(`birthday birthdate birthplace dob email emails firstname fullname gender iban lastname middlename nationality
    passport phone postcode religion ssn street surname telephone username zipcode`),
);
/** Last two tokens of such names. */
const PAIRS = new Set([
  ...words('birth customer display family first full given holder last maiden middle nick user').map(
    (whose) => `${whose} name`,
  ),
  ...words('billing delivery email home ip mailing postal private shipping street').map(
    (which) => `${which} address`,
  ),
  ...words('id mobile passport phone security telephone').map((which) => `${which} number`),
  ...words('client remote user').flatMap((whose) => [`${whose} addr`, `${whose} ip`]),
  'account holder',
  'birth date',
  'date birth',
  'e mail',
  'national id',
  'of birth',
  'postal code',
  'tax id',
  'x forwarded for',
  'zip code',
]);

/** True for the tokens of a name whose value tells who a person is, or where: `customer_email`, `firstName`. */
export function isPersonal(tokens: readonly string[]): boolean {
  const last = tokens.at(-1) ?? '';
  return LAST.has(last) || PAIRS.has(tokens.slice(-2).join(' ')) || PAIRS.has(tokens.slice(-3).join(' '));
}
