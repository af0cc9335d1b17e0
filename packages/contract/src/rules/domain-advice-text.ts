import { domainAdviceDe } from './domain-advice-de.ts';
import { domainAdvice, type DomainAdvice } from './domain-advice.ts';

const texts = { en: domainAdvice, de: domainAdviceDe };

export const describeDomainAdvice = ({ code, params }: DomainAdvice, language: keyof typeof texts): string =>
  texts[language][code].replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ''));
