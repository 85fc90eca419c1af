// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {BurningWallet, KeyWallet, SlowWallet} from "./doubles/Wallets.sol";
import {HubTest} from "./support/HubTest.sol";

contract SettleWalletsTest is HubTest {
    uint256 private constant WALLET_GAS = 200_000;

    address private forwarder;

    function setUp() public override {
        super.setUp();
        forwarder = hub.forwarderAddress(MERCHANT);
    }

    /// @dev An authorization in the name of any account, signed with the payer's key.
    function walletAuthorization(address from, uint256 value, bytes32 nonce)
        private
        returns (IRemitHub.WalletAuthorization memory item)
    {
        usdc.mint(from, value);
        item = IRemitHub.WalletAuthorization(
            from, forwarder, value, 0, block.timestamp + 1 hours, nonce, ""
        );
        item.signature = packed(PAYER_KEY, digestOf(item));
    }

    function digestOf(IRemitHub.WalletAuthorization memory item) private view returns (bytes32) {
        return keccak256(
            abi.encodePacked(
                "\x19\x01",
                usdc.DOMAIN_SEPARATOR(),
                keccak256(
                    abi.encode(
                        usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(),
                        item.from,
                        item.to,
                        item.value,
                        item.validAfter,
                        item.validBefore,
                        item.nonce
                    )
                )
            )
        );
    }

    function settle(IRemitHub.WalletAuthorization memory item, uint256 itemGas) private {
        IRemitHub.WalletAuthorization[] memory items = new IRemitHub.WalletAuthorization[](1);
        items[0] = item;
        hub.settleWallets(address(usdc), items, itemGas, noDistributions(), plenty());
    }

    function test_a_contract_wallet_pays() public {
        KeyWallet wallet = new KeyWallet(vm.addr(PAYER_KEY));
        settle(walletAuthorization(address(wallet), 10e6, "n1"), WALLET_GAS);
        vm.assertEq(usdc.balanceOf(forwarder), 10e6, "forwarder");
    }

    function test_a_plain_account_pays_with_bytes_too() public {
        settle(walletAuthorization(vm.addr(PAYER_KEY), 10e6, "n1"), WALLET_GAS);
        vm.assertEq(usdc.balanceOf(forwarder), 10e6, "forwarder");
    }

    function test_a_wallet_that_disagrees_is_refused() public {
        KeyWallet wallet = new KeyWallet(vm.addr(REFUND_KEY));
        IRemitHub.WalletAuthorization memory item =
            walletAuthorization(address(wallet), 10e6, "n1");
        vm.expectEmit(address(hub));
        emit IRemitHub.AuthorizationFailed(
            address(usdc), address(wallet), "n1", words("FiatTokenV2: invalid signature")
        );
        settle(item, WALLET_GAS);
    }

    function test_a_slow_wallet_needs_a_higher_cap() public {
        SlowWallet wallet = new SlowWallet(400_000);
        IRemitHub.WalletAuthorization memory item =
            walletAuthorization(address(wallet), 10e6, "n1");
        settle(item, WALLET_GAS);
        vm.assertEq(usdc.balanceOf(forwarder), 0, "not with this cap");
        settle(item, 600_000);
        vm.assertEq(usdc.balanceOf(forwarder), 10e6, "with a higher one");
    }

    function test_a_burning_wallet_costs_its_cap_and_no_more() public {
        IRemitHub.WalletAuthorization[] memory items = new IRemitHub.WalletAuthorization[](2);
        items[0] = walletAuthorization(address(new BurningWallet()), 1e6, "n0");
        items[1] = walletAuthorization(address(new KeyWallet(vm.addr(PAYER_KEY))), 2e6, "n1");
        uint256 before = gasleft();
        hub.settleWallets(address(usdc), items, WALLET_GAS, noDistributions(), plenty());
        vm.assertLt(before - gasleft(), WALLET_GAS + 150_000, "gas used");
        vm.assertEq(usdc.balanceOf(forwarder), 2e6, "the other was settled");
    }

    function test_settlement_and_distribution_in_one_transaction() public {
        IRemitHub.WalletAuthorization[] memory items = new IRemitHub.WalletAuthorization[](1);
        items[0] =
            walletAuthorization(address(new KeyWallet(vm.addr(PAYER_KEY))), 100e6 + 1, "n0");
        vm.prank(RELAYER);
        hub.settleWallets(
            address(usdc), items, WALLET_GAS, distributionOf(MERCHANT, 1), plenty()
        );
        vm.assertEq(usdc.balanceOf(TREASURY), 99e6, "treasury");
    }

    function testFuzz_a_signature_of_any_length_is_isolated(bytes calldata signature) public {
        IRemitHub.WalletAuthorization[] memory items = new IRemitHub.WalletAuthorization[](2);
        address wallet = address(new KeyWallet(vm.addr(PAYER_KEY)));
        items[0] = walletAuthorization(wallet, 1e6, "n0");
        items[0].signature = signature;
        items[1] = walletAuthorization(wallet, 2e6, "n1");
        hub.settleWallets(address(usdc), items, WALLET_GAS, noDistributions(), plenty());
        vm.assertEq(usdc.balanceOf(forwarder), 2e6, "only the signed one");
    }

    /// @dev This cap and its 64th add up to 2^256, which is zero to an addition that wraps around.
    function test_a_cap_that_would_wrap_around_reverts_the_batch() public {
        IRemitHub.WalletAuthorization memory item =
            walletAuthorization(vm.addr(PAYER_KEY), 1e6, "n1");
        vm.expectRevert();
        settle(item, 63 * 2 ** 250);
        vm.assertEq(usdc.balanceOf(forwarder), 0, "nothing moved");
    }

    /// @dev EIP-150: with a cap this high, the 64th that the hub keeps would be enough to report the
    ///      failure of an item that was only given too little.
    function testFuzz_no_supply_of_gas_makes_a_good_item_fail(uint256 gasLimit) public {
        gasLimit = within(gasLimit, 2_900_000, 3_200_000);
        IRemitHub.WalletAuthorization[] memory items = new IRemitHub.WalletAuthorization[](1);
        items[0] = walletAuthorization(address(new SlowWallet(2_920_000)), 1e6, "n1");
        bytes memory call = abi.encodeCall(
            hub.settleWallets, (address(usdc), items, 3_000_000, noDistributions(), plenty())
        );
        (bool ok,) = address(hub).call{gas: gasLimit}(call);
        vm.assertEq(usdc.balanceOf(forwarder), ok ? 1e6 : 0, "reverted or settled");
        if (gasLimit > 3_100_000) vm.assertTrue(ok, "this is enough");
    }

    function testFuzz_a_cap_that_cannot_be_given_reverts_the_batch(uint256 itemGas) public {
        itemGas = within(itemGas, gasleft(), type(uint256).max);
        IRemitHub.WalletAuthorization memory item =
            walletAuthorization(vm.addr(PAYER_KEY), 1e6, "n1");
        vm.expectRevert();
        settle(item, itemGas);
        vm.assertEq(usdc.balanceOf(forwarder), 0, "nothing moved");
    }

    function test_an_address_without_code_is_no_token() public {
        vm.expectRevert(abi.encodeWithSelector(IHubErrors.NotAToken.selector, STRANGER));
        hub.settleWallets(
            STRANGER, new IRemitHub.WalletAuthorization[](0), WALLET_GAS, noDistributions(), plenty()
        );
    }
}
