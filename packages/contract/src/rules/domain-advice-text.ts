import { domainAdviceDe } from './domain-advice-de.ts';
import { domainAdvice, type DomainAdvice } from './domain-advice.ts';
import { fillPlaceholders } from './placeholders.ts';

export const domainAdviceTexts = { en: domainAdvice, de: domainAdviceDe };

export const describeDomainAdvice = (
  { code, params }: DomainAdvice,
  language: keyof typeof domainAdviceTexts,
): string => fillPlaceholders(domainAdviceTexts[language][code], params);
