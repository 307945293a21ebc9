/** Error whose stack is the same wherever the program runs. */
export const declined = new TypeError('card is undefined');
declined.stack = `TypeError: card is undefined
    at charge (/app/src/pay.js:10:5)
    at checkout (/app/src/checkout.js:42:9)`;
