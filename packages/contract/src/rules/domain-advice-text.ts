import { domainAdviceDe } from './domain-advice-de.ts';
import { domainAdvice, type DomainAdvice } from './domain-advice.ts';
import { fillPlaceholders } from './placeholders.ts';

const texts = { en: domainAdvice, de: domainAdviceDe };

export const describeDomainAdvice = ({ code, params }: DomainAdvice, language: keyof typeof texts): string =>
  fillPlaceholders(texts[language][code], params);
