/** A message to the person who manages the DNS, whose language may be another one. */
export const administrator = {
  intro: 'Please add these DNS records for {{domain}}:',
  end: 'Thank you!',
};
