/*
 * Written by `npm run docs` from the schemas of files. To change something here,
 * change those of fixtures and settings.
 *
 * What fixture files and profiles hold.
 */

export interface MerchantsFile {
  readonly $schema?: string | undefined;
  readonly merchants: readonly {
    /** Id of this record. */
    readonly id: number;
    readonly name: string;
    readonly api_key: string;
  }[];
}

export interface ProductsFile {
  readonly $schema?: string | undefined;
  readonly products: readonly CatalogueProduct[];
}

export interface CatalogueProduct {
  /** The family that sells it: the name of its fixture file, with _ instead of -. */
  readonly family: string;
  /** Id of the product. */
  readonly id: number;
  /** Name of the product. */
  readonly name: string;
  /** Description of the cover. It may contain HTML. */
  readonly details: string;
  /** Whether the product covers beneficiaries. Assumptions: users-count. */
  readonly beneficiaries: boolean;
  /** Maximum number of beneficiaries in a purchase. Assumptions: users-count. */
  readonly max_beneficiaries: number;
  /** Id of the provider. */
  readonly provider_id: number;
  /** URL of the logo. Null if there is none. */
  readonly logo_url: string | null;
  /** Whether the product can be bought. Assumptions: catalogue. */
  readonly enable: boolean;
  /**
   * When the record was created. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision.
   */
  readonly created_at: string;
  /**
   * When the record was last changed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision.
   */
  readonly updated_at: string;
  /** Id of the service of the product. */
  readonly service_id: number;
  /** Id of the product class. */
  readonly product_class_id: number;
}

export interface MicroHealthFile {
  readonly $schema?: string | undefined;
  /** Without it, those of the built-in file are used. */
  readonly prices?: readonly MicroHealthPrice[] | undefined;
  /** Without it, those of the built-in file are used. */
  readonly commission_rates?: readonly CommissionRate[] | undefined;
  /** Without it, those of the built-in file are used. */
  readonly subscribers?: readonly MicroHealthSubscriber[] | undefined;
  /** Policies to buy at the start: the body of initiateMicroHealthSubscription. */
  readonly purchases?: readonly {
    /**
     * When the policy is bought: a time, or a duration before the start of the World, such as
     * `-P10D`.
     */
    readonly at: string;
    /** The number of the policy. Default: a drawn one. */
    readonly policy_number?: string | undefined;
    /** When the policy is renewed, oldest first, in the forms of `at`. */
    readonly renewals?: readonly string[] | undefined;
    /**
     * First name of the principal. Must not be blank or contain control characters. Example:
     * `'Ada'`. Assumptions: encoding, text-and-numbers.
     */
    readonly first_name: string;
    /**
     * Surname of the principal. Must not be blank or contain control characters. Example: `'Obi'`.
     * Assumptions: encoding, text-and-numbers.
     */
    readonly surname: string;
    /**
     * E-mail address of the principal. Must be ASCII, with a domain such as example.com. Example:
     * `'ada@example.com'`. Assumptions: email.
     */
    readonly email: string;
    /**
     * Phone number of the principal, 11 digits. Example: `'08031234567'`. Assumptions:
     * phone-digits.
     */
    readonly phone_no: string;
    /**
     * Date of birth of the principal, YYYY-MM-DD. Today or earlier. Must be 1900-01-01 or later.
     * Example: `'1990-04-12'`. Assumptions: text-and-numbers, date-limits.
     */
    readonly date_of_birth: string;
    /** Id of a micro-health product. Example: `1`. Assumptions: product-id-type. */
    readonly product_id: number | string;
    /**
     * How often the premium is paid. `yearly` means `annually`. Example: `'monthly'`. Assumptions:
     * frequency-words.
     */
    readonly subscription_type: 'monthly' | 'quarterly' | 'annually' | 'yearly' | (string & {});
    /**
     * The premium for this number of users and payment frequency, in naira. Any other amount is
     * refused. At most two decimal places. Example: `700`. Assumptions: text-and-numbers,
     * amount-check.
     */
    readonly amount?: number | string | undefined;
    /**
     * National identification number of the principal, 11 digits. Example: `'12345678901'`.
     * Assumptions: nin-number.
     */
    readonly nin_number: number | string;
    /**
     * Full name of the first beneficiary. Must not contain control characters. Example: `'Bola
     * Ade'`. Assumptions: encoding, text-and-numbers.
     */
    readonly first_beneficiary_full_name?: string | undefined;
    /**
     * Full name of the second beneficiary. Must not contain control characters. Example: `'Bola
     * Ade'`. Assumptions: encoding, text-and-numbers.
     */
    readonly second_beneficiary_full_name?: string | undefined;
    /**
     * Full name of the third beneficiary. Must not contain control characters. Example: `'Bola
     * Ade'`. Assumptions: encoding, text-and-numbers.
     */
    readonly third_beneficiary_full_name?: string | undefined;
    /**
     * URL of an image of an identity document. Must be an absolute http or https URL. Example:
     * `'https://files.example.com/id.png'`. Assumptions: text-and-numbers, id-url.
     */
    readonly id_url: string;
    /**
     * Photo of the principal: a URL or any other text. Must not contain control characters.
     * Example: `'https://files.example.com/me.png'`. Assumptions: text-and-numbers, encoding.
     */
    readonly profile_url?: string | undefined;
  }[] | undefined;
}

export interface MicroHealthPrice {
  /** Id of this record. */
  readonly product_id: number;
  /** Number of people covered: the principal and the beneficiaries. */
  readonly users: number;
  readonly monthly: number;
  readonly quarterly: number;
  readonly annually: number;
}

export interface CommissionRate {
  /** Id of this record. */
  readonly product_id: number;
  readonly partner: number;
  readonly merchant: number;
}

/** A subscriber with the subscription, the beneficiaries and the premiums paid. */
export interface MicroHealthSubscriber {
  /** Id of this record. */
  readonly id: number;
  /** First name. */
  readonly first_name: string;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  readonly middle_name: string | null;
  /** Surname. */
  readonly surname: string;
  /** Phone number, 11 digits. */
  readonly phone_no: string;
  /** E-mail address. */
  readonly email: string;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  readonly address: string | null;
  /** Gender as sent in the request. Null if none was sent. Assumptions: subscriber-defaults. */
  readonly gender: string | null;
  /**
   * Date of birth, as midnight UTC. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision.
   */
  readonly date_of_birth: string;
  /** Always null. */
  readonly password: null;
  /** Policy number, 10 digits. Example: `'1460282547'`. Assumptions: policy-no. */
  readonly policy_no: string;
  /** Whether the purchase named beneficiaries. */
  readonly have_beneficiaries: boolean;
  /** True for new customers. */
  readonly enable: boolean;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  readonly next_of_kin_full_name: string | null;
  /** Id of the merchant. */
  readonly merchant_user_id: number | null;
  /** `principal` for new customers. Assumptions: subscriber-defaults. */
  readonly user_type: string;
  /**
   * When the record was created. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision.
   */
  readonly created_at: string;
  /**
   * When the record was last changed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision.
   */
  readonly updated_at: string;
  /** The people covered besides the principal. */
  readonly beneficiary: readonly MicroHealthBeneficiary[];
  /** The subscription of a listed subscriber. */
  readonly subscriptions: MicroHealthListedSubscription;
  /** The premiums paid. */
  readonly transactions: readonly MicroHealthTransaction[];
}

/** A person covered besides the principal. */
export interface MicroHealthBeneficiary {
  /** Id of this record. */
  readonly id: number;
  /** Full name. */
  readonly full_name: string;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  readonly surname: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  readonly email: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  readonly phone_no: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  readonly address: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  readonly gender: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  readonly date_of_birth: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  readonly product_id: number | null;
  /** Id of the subscriber. */
  readonly user_id: number;
  /**
   * When the record was created. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision.
   */
  readonly created_at: string;
  /**
   * When the record was last changed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision.
   */
  readonly updated_at: string;
}

/** The subscription of a listed subscriber. Assumptions: subscriptions-key. */
export interface MicroHealthListedSubscription {
  /** Id of this record. */
  readonly id: number;
  /** Id of the subscriber. */
  readonly user_id: number;
  /** Id of the product. Assumptions: catalogue. */
  readonly product_id: number;
  /** Whether the premium is paid more often than once a year. Assumptions: recurring. */
  readonly recurring: boolean;
  /** How often the premium is paid, as chosen at purchase. */
  readonly subscriptions_type: 'monthly' | 'quarterly' | 'annually' | (string & {});
  /** Number of periods paid. Assumptions: subscriptions-no. */
  readonly subscriptions_no: number;
  /**
   * When the purchase was completed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * subscription-dates, timestamp-precision.
   */
  readonly start_date: string;
  /**
   * When the paid cover ends. As `2026-01-31T10:00:57.000000Z`. Assumptions: subscription-dates,
   * top-up-dates, top-up-anchor, month-end.
   */
  readonly end_date: string;
  /** 1 if enabled. It stays 1 after a lapse. Assumptions: no-expiry-transition. */
  readonly enable: number;
  /** Policy number, 10 digits. Example: `'1460282547'`. Assumptions: policy-no. */
  readonly policy_no: string;
  /** Id of the merchant. */
  readonly merchant_user_id: number;
  /**
   * When the record was created. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision.
   */
  readonly created_at: string;
  /**
   * When the record was last changed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision.
   */
  readonly updated_at: string;
  /**
   * Start of the uninterrupted cover, YYYY-MM-DD HH:MM:SS in UTC. Assumptions: subscription-dates,
   * top-up-dates.
   */
  readonly active_date: string;
}

/** A payment of a premium. */
export interface MicroHealthTransaction {
  /** Id of this record. */
  readonly id: number;
  /** Id of the subscriber. */
  readonly user_id: number;
  /** The premium paid, in naira with two decimals. Example: `'700.00'`. */
  readonly amount: string;
  /** Id of the product. Assumptions: catalogue. */
  readonly product_id: number;
  /** The only documented value is `successful`. */
  readonly status: string;
  /** The only documented value is `credit`. */
  readonly type: string;
  /** Id of the subscription. */
  readonly subscriptions_id: number;
  /** Id of the merchant. */
  readonly merchant_user_id: number;
  /**
   * When the record was created. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision.
   */
  readonly created_at: string;
  /**
   * When the record was last changed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision.
   */
  readonly updated_at: string;
  /** The provider's commission, in naira with two decimals. Assumptions: commissions. */
  readonly partner_commission: string;
  /** The merchant's commission, in naira with two decimals. Assumptions: commissions. */
  readonly merchant_commission: string;
  /** Sum of both commissions, in naira with two decimals. Assumptions: commissions. */
  readonly total_commission: string;
}

export interface MotorFile {
  readonly $schema?: string | undefined;
  /** Without it, those of the built-in file are used. */
  readonly premium_rates?: readonly MotorPremiumRate[] | undefined;
  /** Without it, those of the built-in file are used. */
  readonly policies?: readonly MotorPolicyRecord[] | undefined;
  /** Policies to buy at the start: the body of initiateMotorPolicy. */
  readonly purchases?: readonly {
    /**
     * When the policy is bought: a time, or a duration before the start of the World, such as
     * `-P10D`.
     */
    readonly at: string;
    /** The number of the policy. Default: a drawn one. */
    readonly policy_number?: string | undefined;
    /**
     * First name of the customer. Must not be blank or contain control characters. Example:
     * `'Ada'`. Assumptions: encoding, text-and-numbers.
     */
    readonly first_name: string;
    /**
     * Last name of the customer. Must not be blank or contain control characters. Example: `'Obi'`.
     * Assumptions: encoding, text-and-numbers.
     */
    readonly last_name: string;
    /**
     * Phone number of the customer, 11 digits. Example: `'08031234567'`. Assumptions:
     * text-and-numbers.
     */
    readonly phone_number: number | string;
    /**
     * E-mail address of the customer. Must be ASCII, with a domain such as example.com. Example:
     * `'ada@example.com'`. Assumptions: email.
     */
    readonly email: string;
    /** Gender of the customer, `female` or `male` in any case. Assumptions: motor-gender. */
    readonly gender: string;
    /** Id of a motor product. Example: `4`. Assumptions: product-id-type. */
    readonly product_id: number | string;
    /**
     * URL of an image of the speedometer. Must be an absolute http or https URL. Example:
     * `'https://files.example.com/motor/speedometer.png'`. Assumptions: motor-images.
     */
    readonly speedometer_img: string;
    /**
     * URL of an image of the engine. Must be an absolute http or https URL. Example:
     * `'https://files.example.com/motor/engine.png'`. Assumptions: motor-images.
     */
    readonly engine_img: string;
    /**
     * URL of an image of the interior. Must be an absolute http or https URL. Example:
     * `'https://files.example.com/motor/interior.png'`. Assumptions: motor-images.
     */
    readonly interior_img: string;
    /**
     * URL of an image of the front. Must be an absolute http or https URL. Example:
     * `'https://files.example.com/motor/front.png'`. Assumptions: motor-images.
     */
    readonly front_view_img: string;
    /**
     * URL of an image of the rear. Must be an absolute http or https URL. Example:
     * `'https://files.example.com/motor/rear.png'`. Assumptions: motor-images.
     */
    readonly rear_view_img: string;
    /**
     * URL of an image of the left side. Must be an absolute http or https URL. Example:
     * `'https://files.example.com/motor/left.png'`. Assumptions: motor-images.
     */
    readonly left_side_view_img: string;
    /**
     * URL of an image of the right side. Must be an absolute http or https URL. Example:
     * `'https://files.example.com/motor/right.png'`. Assumptions: motor-images.
     */
    readonly right_side_view_img: string;
    /**
     * URL of an image of the vehicle licence. Must be an absolute http or https URL. Example:
     * `'https://files.example.com/motor/license.png'`. Assumptions: motor-images.
     */
    readonly vehicle_license_img: string;
    /**
     * URL of an image of the proof of ownership. Must be an absolute http or https URL. Example:
     * `'https://files.example.com/motor/ownership.png'`. Assumptions: motor-images.
     */
    readonly proof_of_ownership_img: string;
    /** How often the premium is paid. `annually` means `yearly`. Assumptions: motor-frequency. */
    readonly frequency_type: 'monthly' | 'quarterly' | 'yearly' | 'annually' | (string & {});
    /**
     * Sum insured: the most that is paid after an accident, in naira. At most two decimal places.
     * Example: `5000000`. Assumptions: text-and-numbers, motor-vehicle-value.
     */
    readonly sum_insured: number | string;
    /**
     * Type of cover, such as the name of a tier. Must not be blank or contain control characters.
     * Example: `'bronze'`. Assumptions: encoding, text-and-numbers.
     */
    readonly insurance_cover: string;
    /**
     * Value of the tracker in the car, in naira. At most two decimal places. Example: `60000`.
     * Assumptions: text-and-numbers, motor-vehicle-value.
     */
    readonly tracker_value: number | string;
    /**
     * Estimated cost of a diagnostic test, in naira. At most two decimal places. Example: `15000`.
     * Assumptions: text-and-numbers, motor-vehicle-value.
     */
    readonly diagnostic_cost: number | string;
    /**
     * Length of the cover, as a number of payment periods. Example: `1`. Assumptions:
     * motor-duration.
     */
    readonly duration: number | string;
    /**
     * Type of vehicle. Must not be blank or contain control characters. Example: `'saloon'`.
     * Assumptions: encoding, text-and-numbers.
     */
    readonly vehicle_type: string;
    /**
     * First day of cover, YYYY-MM-DD. Must be 1900-01-01 or later. Example: `'2026-02-01'`.
     * Assumptions: text-and-numbers, date-limits.
     */
    readonly start_date?: string | undefined;
    /**
     * Number plate. Must not be blank or contain control characters. Example: `'KJA-482GR'`.
     * Assumptions: encoding, text-and-numbers.
     */
    readonly registration_no: string;
    /**
     * Make of the vehicle. Must not be blank or contain control characters. Example: `'Toyota'`.
     * Assumptions: motor-make-model, encoding.
     */
    readonly vehicle_make: string | number;
    /**
     * Model of the vehicle. Must not be blank or contain control characters. Example: `'Corolla'`.
     * Assumptions: motor-make-model, encoding.
     */
    readonly vehicle_model: string | number;
    /**
     * Year of manufacture, YYYY. From 1900 to the next calendar year. Example: `'2015'`.
     * Assumptions: motor-year-make.
     */
    readonly year_make: string | number;
    /**
     * Colour of the vehicle. Must not be blank or contain control characters. Example: `'silver'`.
     * Assumptions: encoding, text-and-numbers.
     */
    readonly vehicle_color: string;
    /**
     * Engine number. Must not be blank or contain control characters. Example: `'2ZR4831907'`.
     * Assumptions: encoding, text-and-numbers.
     */
    readonly engine_no: string;
    /**
     * Chassis number. Must not be blank or contain control characters. Example:
     * `'2T1BURHE5FC301482'`. Assumptions: encoding, text-and-numbers.
     */
    readonly chasis_no: string;
    /**
     * Name of the contact person for the vehicle. Must not be blank or contain control characters.
     * Example: `'Bola Ade'`. Assumptions: encoding, text-and-numbers.
     */
    readonly contact_person_name: string;
    /**
     * Address of the contact person. Must not be blank or contain control characters other than
     * line breaks and tabs. Example: `'14 Allen Avenue, Ikeja, Lagos'`. Assumptions: encoding,
     * text-and-numbers.
     */
    readonly contact_person_address: string;
    /**
     * Phone number of the contact person, 11 digits. Example: `'08059876543'`. Assumptions:
     * text-and-numbers.
     */
    readonly contact_person_phone_no: number | string;
    /**
     * Day of the inspection, YYYY-MM-DD. Must be 1900-01-01 or later. Example: `'2026-01-30'`.
     * Assumptions: text-and-numbers, date-limits.
     */
    readonly inspection_date?: string | undefined;
    /** Address of the customer. Accepted and ignored. Assumptions: motor-sample-fields. */
    readonly address?: string | null | undefined;
    /** Relationship. Accepted and ignored. Assumptions: motor-sample-fields. */
    readonly relationship?: string | null | undefined;
    /** Variant of the vehicle. Accepted and ignored. Assumptions: motor-sample-fields. */
    readonly variant_type?: string | null | undefined;
    /** Amount insured, in naira. Accepted and ignored. Assumptions: motor-sample-fields. */
    readonly amount_insured?: number | string | null | undefined;
    /** Identity of the customer. Accepted and ignored. Assumptions: motor-sample-fields. */
    readonly identity?: string | null | undefined;
    /** Surname of the next of kin. Accepted and ignored. Assumptions: motor-sample-fields. */
    readonly nok_surname?: string | null | undefined;
    /** Other names of the next of kin. Accepted and ignored. Assumptions: motor-sample-fields. */
    readonly nok_othernames?: string | null | undefined;
    /**
     * Relationship of the next of kin to the customer. Accepted and ignored. Assumptions:
     * motor-sample-fields.
     */
    readonly nok_relationship?: string | null | undefined;
    /** Gender of the next of kin. Accepted and ignored. Assumptions: motor-sample-fields. */
    readonly nok_gender?: string | null | undefined;
    /** Phone number of the next of kin. Accepted and ignored. Assumptions: motor-sample-fields. */
    readonly nok_phone_no?: string | number | null | undefined;
    /**
     * E-mail address of the next of kin. Accepted and ignored. Assumptions: motor-sample-fields.
     */
    readonly nok_email_address?: string | null | undefined;
    /** URL of an identity document. Accepted and ignored. Assumptions: motor-sample-fields. */
    readonly id_url?: string | null | undefined;
    /** Number of the identity document. Accepted and ignored. Assumptions: motor-sample-fields. */
    readonly id_number?: string | number | null | undefined;
    /** Type of the identity document. Accepted and ignored. Assumptions: motor-sample-fields. */
    readonly id_type?: string | null | undefined;
  }[] | undefined;
}

export interface MotorPremiumRate {
  /** Id of this record. */
  readonly product_id: number;
  /** Share of the value of the vehicle: 0.05 is 5 %. */
  readonly rate: number;
}

export interface MotorPolicyRecord {
  /**
   * `comprehensive-motor-` followed by the policy number in lower case. Example:
   * `'comprehensive-motor-ins6120483957714'`. Assumptions: motor-slug.
   */
  readonly slug: string;
  /** Id of the product. Assumptions: catalogue. */
  readonly product_id: number;
  /** Id of the merchant. */
  readonly merchant_user_id: number;
  /** How often the premium is paid. Assumptions: motor-frequency. */
  readonly frequency_type: 'monthly' | 'quarterly' | 'yearly' | (string & {});
  /** Sum insured, in naira. Example: `5000000`. Assumptions: motor-vehicle-value. */
  readonly vehicle_value: number;
  /** Type of cover, such as the name of a tier. Example: `'bronze'`. */
  readonly insurance_cover: string;
  /**
   * Length of the cover, as a number of payment periods. It has the type of the request: an integer
   * or a string of digits. Example: `1`. Assumptions: motor-duration.
   */
  readonly duration: number | string;
  /** Type of vehicle. */
  readonly vehicle_type: string;
  /** First day of cover, YYYY-MM-DD. Y-m-d. Assumptions: motor-dates. */
  readonly start_date: string;
  /**
   * Day on which the cover ends, YYYY-MM-DD: `start_date` plus `duration` payment periods. Y-m-d.
   * Assumptions: motor-dates, month-end.
   */
  readonly end_date: string;
  /** Number plate. */
  readonly registration_no: string;
  /** Make of the vehicle. Assumptions: motor-make-model. */
  readonly vehicle_make: string;
  /** Model of the vehicle. Assumptions: motor-make-model. */
  readonly vehicle_model: string;
  /** Year of manufacture, YYYY. Example: `'2015'`. Assumptions: motor-year-make. */
  readonly year_make: string;
  /** Colour of the vehicle. */
  readonly vehicle_color: string;
  /** Chassis number. */
  readonly chasis_no: string;
  /** Engine number. */
  readonly engine_no: string;
  /**
   * URL of an image of the speedometer. Example:
   * `'https://files.example.com/motor/speedometer.png'`. Assumptions: motor-images.
   */
  readonly speedometer_img: string;
  /**
   * URL of an image of the engine. Example: `'https://files.example.com/motor/engine.png'`.
   * Assumptions: motor-images.
   */
  readonly engine_img: string;
  /**
   * URL of an image of the interior. Example: `'https://files.example.com/motor/interior.png'`.
   * Assumptions: motor-images.
   */
  readonly interior_img: string;
  /**
   * URL of an image of the front. Example: `'https://files.example.com/motor/front.png'`.
   * Assumptions: motor-images.
   */
  readonly front_view_img: string;
  /**
   * URL of an image of the rear. Example: `'https://files.example.com/motor/rear.png'`.
   * Assumptions: motor-images.
   */
  readonly rear_view_img: string;
  /**
   * URL of an image of the left side. Example: `'https://files.example.com/motor/left.png'`.
   * Assumptions: motor-images.
   */
  readonly left_side_view_img: string;
  /**
   * URL of an image of the right side. Example: `'https://files.example.com/motor/right.png'`.
   * Assumptions: motor-images.
   */
  readonly right_side_view_img: string;
  /**
   * URL of an image of the vehicle licence. Example:
   * `'https://files.example.com/motor/license.png'`. Assumptions: motor-images.
   */
  readonly vehicle_license_img: string;
  /**
   * URL of an image of the proof of ownership. Example:
   * `'https://files.example.com/motor/ownership.png'`. Assumptions: motor-images.
   */
  readonly proof_of_ownership_img: string;
  /**
   * Policy number: INS followed by 13 digits. Example: `'INS6120483957714'`. Assumptions:
   * motor-policy-number.
   */
  readonly policy_number: string;
  /** Name of the contact person for the vehicle. */
  readonly contact_person_name: string;
  /** Address of the contact person. */
  readonly contact_person_address: string;
  /** Phone number of the contact person, 11 digits. */
  readonly contact_person_phone_no: string;
  /** Day of the inspection, YYYY-MM-DD. Y-m-d. */
  readonly inspection_date: string;
  /** Id of this record. */
  readonly id: number;
  /** Id of the customer. */
  readonly user_id: number;
  /** The only documented value is true. */
  readonly status: boolean;
  /**
   * When the record was created. As `2026-01-31T10:00:57.000000Z`. Assumptions: motor-dates,
   * timestamp-precision.
   */
  readonly created_at: string;
  /**
   * When the record was last changed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision.
   */
  readonly updated_at: string;
}

export interface GroupLifeFile {
  readonly $schema?: string | undefined;
  /** Without it, those of the built-in file are used. */
  readonly policies?: readonly GroupLifePolicyRecord[] | undefined;
  /** Policies to buy at the start: the body of initiateGroupLifePolicy. */
  readonly purchases?: readonly {
    /**
     * When the policy is bought: a time, or a duration before the start of the World, such as
     * `-P10D`.
     */
    readonly at: string;
    /** The number of the policy. Default: a drawn one. */
    readonly policy_number?: string | undefined;
    /**
     * E-mail address of the purchaser. Must be ASCII, with a domain such as example.com. Example:
     * `'ada@example.com'`. Assumptions: email.
     */
    readonly email: string;
    /**
     * First name of the purchaser. Must not be blank or contain control characters. Example:
     * `'Ada'`. Assumptions: encoding, text-and-numbers.
     */
    readonly first_name: string;
    /**
     * Surname of the purchaser. Must not be blank or contain control characters. Example: `'Obi'`.
     * Assumptions: encoding, text-and-numbers.
     */
    readonly surname: string;
    /**
     * Phone number of the purchaser, 11 digits. Example: `'08031234567'`. Assumptions:
     * phone-digits.
     */
    readonly phone_no: string;
    /** Gender of the purchaser, `female` or `male` in any case. Assumptions: text-and-numbers. */
    readonly gender: string;
    /**
     * Date of birth of the purchaser, YYYY-MM-DD. Today or earlier. Must be 1900-01-01 or later.
     * Example: `'1990-04-12'`. Assumptions: text-and-numbers, date-limits.
     */
    readonly dob: string;
    /** Id of a group-life product. Example: `2`. Assumptions: product-id-type. */
    readonly product_id: number | string;
    /**
     * Name of the group. Must not be blank or contain control characters. Example: `'Balogun
     * Traders'`. Assumptions: encoding, text-and-numbers.
     */
    readonly group_name: string;
    /**
     * Kind of group. Must not be blank or contain control characters. Example: `'Trade
     * association'`. Assumptions: encoding, text-and-numbers.
     */
    readonly group_type: string;
    /**
     * Address of the group. Must not be blank or contain control characters other than line breaks
     * and tabs. Example: `'14 Balogun Street, Lagos'`. Assumptions: encoding, text-and-numbers.
     */
    readonly group_contact_address: string;
    /**
     * Name of the first contact person in the group. Must not be blank or contain control
     * characters. Example: `'Ada Obi'`. Assumptions: encoding, text-and-numbers.
     */
    readonly first_person_name: string;
    /**
     * Phone number of the first contact person, 11 digits. Example: `'08031234567'`. Assumptions:
     * phone-digits.
     */
    readonly first_person_phone: string;
    /**
     * Name of the second contact person in the group. Must not be blank or contain control
     * characters. Example: `'Tunde Bello'`. Assumptions: encoding, text-and-numbers.
     */
    readonly second_person_name: string;
    /**
     * The people to insure: an array of 1 to 5000 members, or the same array as a JSON string.
     * Assumptions: group-life-members.
     */
    readonly members: readonly GroupLifeMemberRequest[] | string;
    /**
     * Phone number of the second contact person, 11 digits. Example: `'08059876543'`. Assumptions:
     * phone-digits.
     */
    readonly second_person_phone?: string | undefined;
    /**
     * First day of cover, YYYY-MM-DD. The default is the day of verify in UTC. Must be 1900-01-01
     * or later. Example: `'2026-02-01'`. Assumptions: text-and-numbers, group-life-initiate-body,
     * group-life-dates, date-limits.
     */
    readonly start_date?: string | undefined;
    /** Status. Accepted and ignored. Assumptions: group-life-initiate-body. */
    readonly status?: boolean | string | number | null | undefined;
  }[] | undefined;
}

/** A stored group-life policy. */
export interface GroupLifePolicyRecord {
  /** Id of this record. */
  readonly id: number;
  /** Id of the purchaser. */
  readonly user_id: number;
  /** Id of the product. Assumptions: catalogue. */
  readonly product_id: number;
  /** Id of the merchant. */
  readonly merchant_id: number;
  /**
   * Policy number: IN followed by 8 digits. Example: `'IN59810802'`. Assumptions:
   * group-life-policy-number.
   */
  readonly policy_number: string;
  /** Name of the group. */
  readonly group_name: string;
  /** Kind of group. */
  readonly group_type: string;
  /** Address of the group. */
  readonly group_contact_address: string;
  /** Name of the first contact person in the group. */
  readonly first_person_name: string;
  /** Phone number of the first contact person, 11 digits. */
  readonly first_person_phone: string;
  /** Name of the second contact person in the group. */
  readonly second_person_name: string;
  /** Phone number of the second contact person, 11 digits. Null if none was sent. */
  readonly second_person_phone: string | null;
  /**
   * First day of cover, as midnight UTC. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * group-life-dates.
   */
  readonly start_date: string;
  /**
   * One year after start_date. As `2026-01-31T10:00:57.000000Z`. Assumptions: group-life-dates,
   * month-end.
   */
  readonly end_date: string | null;
  /** The only documented value is true. */
  readonly status: boolean;
  /**
   * Null for new customers. No request sets this field. As `2026-01-31T10:00:57.000000Z`.
   * Assumptions: subscriber-defaults.
   */
  readonly deleted_at: string | null;
  /**
   * When the record was created. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision.
   */
  readonly created_at: string;
  /**
   * When the record was last changed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision.
   */
  readonly updated_at: string;
  /** The purchaser of a group-life policy. */
  readonly user: GroupLifeUser;
  /** The insured members. */
  readonly group_life_members: readonly GroupLifeMember[];
}

/** The purchaser of a group-life policy. */
export interface GroupLifeUser {
  /** Id of this record. */
  readonly id: number;
  /** First name. */
  readonly first_name: string;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  readonly middle_name: string | null;
  /** Surname. */
  readonly surname: string;
  /** Phone number, 11 digits. */
  readonly phone_no: string;
  /** E-mail address. */
  readonly email: string;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  readonly address: string | null;
  /** Gender as sent in the request. Null if none was sent. Assumptions: subscriber-defaults. */
  readonly gender: string | null;
  /**
   * Date of birth, as midnight UTC. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision.
   */
  readonly date_of_birth: string;
  /** Always null. */
  readonly password: null;
  /**
   * Number of the purchaser, 10 digits. It is not the `policy_number` of the policy. Example:
   * `'4076182953'`. Assumptions: group-life-user.
   */
  readonly policy_no: string;
  /** Whether the purchase named beneficiaries. */
  readonly have_beneficiaries: boolean;
  /** True for new customers. */
  readonly enable: boolean;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  readonly next_of_kin_full_name: string | null;
  /** Id of the merchant. */
  readonly merchant_user_id: number | null;
  /** `principal` for new customers. Assumptions: subscriber-defaults. */
  readonly user_type: string;
  /**
   * When the record was created. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision.
   */
  readonly created_at: string;
  /**
   * When the record was last changed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision.
   */
  readonly updated_at: string;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  readonly principal_policy_no: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  readonly nin_number: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  readonly id_url: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  readonly profile_url: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  readonly company_id: number | null;
  /** 0 for new customers. Assumptions: subscriber-defaults. */
  readonly verify_phone: number | null;
  /** 0 for new customers. Assumptions: subscriber-defaults. */
  readonly verify_email: number | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  readonly town: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  readonly state_of_residence: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  readonly transaction_pin: string | null;
  /** Null for new customers. No request sets this field. Assumptions: subscriber-defaults. */
  readonly occupation: string | null;
}

/** An insured person. */
export interface GroupLifeMember {
  /** Id of this record. */
  readonly id: number;
  /** Id of the policy. */
  readonly policy_id: number;
  /** Full name. */
  readonly full_name: string;
  /** Gender as sent in the request. */
  readonly gender: string;
  /** Occupation. */
  readonly occupation: string;
  /**
   * Date of birth, as midnight UTC. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision.
   */
  readonly date_of_birth: string;
  /** Full name of the next of kin. */
  readonly next_of_kiln: string;
  /** Phone number, 11 digits. */
  readonly phone_number: string;
  /** The only documented value is `group-life`. */
  readonly policy_type: string;
  /**
   * Null for new customers. No request sets this field. As `2026-01-31T10:00:57.000000Z`.
   * Assumptions: subscriber-defaults.
   */
  readonly deleted_at: string | null;
  /**
   * When the record was created. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision.
   */
  readonly created_at: string;
  /**
   * When the record was last changed. As `2026-01-31T10:00:57.000000Z`. Assumptions:
   * timestamp-precision.
   */
  readonly updated_at: string;
}

/** A person to insure. Assumptions: group-life-members. */
export interface GroupLifeMemberRequest {
  /**
   * Full name of the member. Must not be blank or contain control characters. Example: `'Bola
   * Ade'`. Assumptions: encoding, text-and-numbers.
   */
  readonly full_name: string;
  /** Gender of the member, `female` or `male` in any case. Assumptions: text-and-numbers. */
  readonly gender: string;
  /**
   * Occupation of the member. Must not be blank or contain control characters. Example: `'Tailor'`.
   * Assumptions: encoding, text-and-numbers.
   */
  readonly occupation: string;
  /**
   * Date of birth of the member, YYYY-MM-DD. Today or earlier. Must be 1900-01-01 or later.
   * Example: `'1992-08-03'`. Assumptions: text-and-numbers, date-limits.
   */
  readonly date_of_birth: string;
  /**
   * Full name of the next of kin. Required unless `next_of_kin` is sent. The spelling of the field
   * is part of the API. Must not be blank or contain control characters. Example: `'Sade Ade'`.
   * Assumptions: encoding, text-and-numbers.
   */
  readonly next_of_kiln?: string | undefined;
  /**
   * Used if `next_of_kiln` is not sent. Must not be blank or contain control characters. Example:
   * `'Sade Ade'`. Assumptions: encoding, text-and-numbers.
   */
  readonly next_of_kin?: string | undefined;
  /** Phone number of the member, 11 digits. Example: `'08067654321'`. Assumptions: phone-digits. */
  readonly phone_number: string;
}

export interface Profile {
  readonly $schema?: string | undefined;
  readonly version: 1 | (number & {});
  readonly decisions: {
    /** How are lists ordered? */
    readonly 'list-order'?: 'oldest-first' | 'newest-first' | (string & {}) | undefined;
    /** Is a token still valid after exactly 15 minutes? */
    readonly 'token-boundary'?: 'exclusive' | 'inclusive' | (string & {}) | undefined;
    /** Is `response_code` of a failure a string or an integer? */
    readonly 'error-code-type'?: 'by-family' | 'string' | 'integer' | (string & {}) | undefined;
    /** What does a failure look like? */
    readonly 'error-envelope'?: 'envelope' | 'laravel' | (string & {}) | undefined;
    /** How many digits does a phone number have? */
    readonly 'phone-digits'?: 'eleven' | 'any' | (string & {}) | undefined;
    /** Is a yearly payment called `annually` or `yearly`? */
    readonly 'frequency-words'?: 'exact' | 'any-case' | (string & {}) | undefined;
    /** Which query parameters does all_subscriptions accept? */
    readonly 'list-selection'?: {
      readonly per_page: number;
    } | undefined;
    /** Do page URLs keep the query? */
    readonly 'page-urls'?: 'keep' | 'drop' | (string & {}) | undefined;
    /** What happens to white space around text? */
    readonly 'text-trim'?: 'keep' | 'trim' | (string & {}) | undefined;
    /** Which HTTP statuses are returned? */
    readonly 'http-status'?: {
      readonly unauthenticated?: number | undefined;
      readonly malformed?: number | undefined;
      readonly unsupported_media_type?: number | undefined;
      readonly too_large?: number | undefined;
      readonly invalid?: number | undefined;
      readonly token_unknown?: number | undefined;
      readonly token_used?: number | undefined;
      readonly token_expired?: number | undefined;
      readonly policy_unknown?: number | undefined;
      readonly route_unknown?: number | undefined;
      readonly method_not_allowed?: number | undefined;
      readonly micro_health?: {
        readonly unauthenticated?: number | undefined;
        readonly malformed?: number | undefined;
        readonly unsupported_media_type?: number | undefined;
        readonly too_large?: number | undefined;
        readonly invalid?: number | undefined;
        readonly token_unknown?: number | undefined;
        readonly token_used?: number | undefined;
        readonly token_expired?: number | undefined;
        readonly policy_unknown?: number | undefined;
        readonly method_not_allowed?: number | undefined;
      } | undefined;
      readonly motor?: {
        readonly unauthenticated?: number | undefined;
        readonly malformed?: number | undefined;
        readonly unsupported_media_type?: number | undefined;
        readonly too_large?: number | undefined;
        readonly invalid?: number | undefined;
        readonly token_unknown?: number | undefined;
        readonly token_used?: number | undefined;
        readonly token_expired?: number | undefined;
        readonly policy_unknown?: number | undefined;
        readonly method_not_allowed?: number | undefined;
      } | undefined;
      readonly group_life?: {
        readonly unauthenticated?: number | undefined;
        readonly malformed?: number | undefined;
        readonly unsupported_media_type?: number | undefined;
        readonly too_large?: number | undefined;
        readonly invalid?: number | undefined;
        readonly token_unknown?: number | undefined;
        readonly token_used?: number | undefined;
        readonly token_expired?: number | undefined;
        readonly policy_unknown?: number | undefined;
        readonly method_not_allowed?: number | undefined;
      } | undefined;
    } | undefined;
    /** What does a missing or invalid key return? */
    readonly 'auth-failure'?: {
      readonly message: string;
    } | undefined;
    /** What does an expired token return outside group life? */
    readonly 'token-expired'?: {
      readonly message: string;
    } | undefined;
    /** What does an unknown or missing token return? */
    readonly 'token-unknown'?: {
      readonly message: string;
    } | undefined;
    /** What does a second verify return? */
    readonly 'token-used'?: 'used' | 'expired' | 'unknown' | 'same-policy' | (string & {}) | {
      readonly message: string;
    } | undefined;
    /** Where does a cover end whose day the last month lacks? */
    readonly 'month-end'?: 'clamp' | 'overflow' | (string & {}) | undefined;
    /** Which time zone applies? */
    readonly 'time-zone'?: string | undefined;
    /** What are the success messages? */
    readonly 'success-messages'?: {
      readonly getMicroHealthQuote?: string | undefined;
      readonly initiateMicroHealthSubscription?: string | undefined;
      readonly verifyMicroHealthSubscription?: string | undefined;
      readonly topUpMicroHealthSubscription?: string | undefined;
      readonly listMicroHealthSubscriptions?: string | undefined;
      readonly validateMicroHealthPolicy?: string | undefined;
      readonly initiateMotorPolicy?: string | undefined;
      readonly verifyMotorPolicy?: string | undefined;
      readonly listMotorPolicies?: string | undefined;
      readonly getMotorPolicyDetails?: string | undefined;
      readonly getMotorQuote?: string | undefined;
      readonly initiateGroupLifePolicy?: string | undefined;
      readonly verifyGroupLifePolicy?: string | undefined;
      readonly listGroupLifePolicies?: string | undefined;
      readonly getGroupLifePolicyDetails?: string | undefined;
    } | undefined;
    /** Is `amount` compared with the premium? */
    readonly 'amount-check'?: 'exact' | 'ignore' | (string & {}) | undefined;
    /** Is `subscriptions` in a list element an object or an array? */
    readonly 'subscriptions-key'?: 'object' | 'array' | (string & {}) | undefined;
    /** What is a valid nin_number? */
    readonly 'nin-number'?: 'eleven' | 'any' | (string & {}) | {
      readonly required: boolean;
    } | undefined;
    /** Is id_url required? */
    readonly 'id-url'?: 'required' | (string & {}) | {
      readonly required: boolean;
    } | undefined;
    /** What are the months of a renewal added to? */
    readonly 'top-up-anchor'?: 'anchor' | 'end' | (string & {}) | undefined;
    /** What is a valid "service URL"? */
    readonly 'motor-images'?: 'url' | 'any' | (string & {}) | undefined;
  };
}

/** Fixture files by name. The built-in files fill the gaps. */
export interface FixtureFiles {
  readonly 'merchants.json'?: MerchantsFile | undefined;
  readonly 'products.json'?: ProductsFile | undefined;
  readonly 'micro-health.json'?: MicroHealthFile | undefined;
  readonly 'motor.json'?: MotorFile | undefined;
  readonly 'group-life.json'?: GroupLifeFile | undefined;
}
